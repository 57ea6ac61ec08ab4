import { UnrutError } from '@unrut/engine/errors';
import { isObject, type JsonObject, objectsOf, parsed, textOf, valueIn } from '@unrut/engine/json';
import { databaseOf } from '@unrut/ledger/sqlite/database-of';
import {
  called,
  messageImporter,
  type Part,
  returned,
  strange,
  told,
} from '@unrut/reading/message-format';

const isNew = ({ User: user, Agent: agent }: JsonObject): boolean =>
  [user, agent].some((each) => isObject(each) && Array.isArray(each.content));
const isOld = ({ role, segments }: JsonObject): boolean =>
  typeof role === 'string' && Array.isArray(segments);

/** Threads of Zed's agent: its database, and exported threads. */
export const zedTranscript = messageImporter({
  name: 'zed',
  reads:
    "threads of Zed's agent: its database `threads.db`, and threads as JSON, also of older versions",
  sample: 'written after its source, zed-industries/zed 0642ec7',
  isMessage: (value) => isNew(value) || isOld(value),
  database: readZedDatabase,
  lists: ['messages'],
  ids: ['id'],
  parts: (message) => (isOld(message) ? oldParts(message) : newParts(message)),
  isSilent: (value) => value === 'Resume' || (isObject(value) && 'Compaction' in value),
});

function newParts({ User: user, Agent: agent }: JsonObject): Part[] {
  if (isObject(user))
    return told(
      'person',
      objectsOf(user.content).flatMap((part) => (typeof part.Text === 'string' ? [part.Text] : [])),
    );
  const { content, tool_results: results } = agent as JsonObject;
  const calls = objectsOf(content).flatMap((part): Part[] => {
    const { Text: text, Thinking: thought, ToolUse: use } = part;
    if (typeof text === 'string') return told('says', text);
    if (thought !== undefined) return told('thinks', thought);
    if (isObject(use)) return [called(use.id, use.name, use.input ?? use.raw_input)];
    return 'RedactedThinking' in part ? [] : [strange(Object.keys(part)[0])];
  });
  return [...calls, ...objectsOf(isObject(results) ? Object.values(results) : []).map(resultPart)];
}

function oldParts({ role, segments, tool_uses: uses, tool_results: results }: JsonObject): Part[] {
  const texts = objectsOf(segments).flatMap(({ type, text }): Part[] =>
    told(type === 'thinking' ? 'thinks' : role === 'user' ? 'person' : 'says', text),
  );
  return role === 'system'
    ? []
    : [
        ...texts,
        ...objectsOf(uses).map(({ id, name, input }) => called(id, name, input)),
        ...objectsOf(results).map(resultPart),
      ];
}

/** Content is a text, `{Text}` or a list of these. */
function resultPart({ tool_use_id: id, is_error: isError, content }: JsonObject): Part {
  const pieces = (Array.isArray(content) ? content : [content]).map(
    (each) => valueIn(each, 'Text') ?? valueIn(each, 'text') ?? each,
  );
  return returned(id, pieces.length === 1 ? pieces[0] : pieces, { error: isError });
}

/** The threads of Zed's database, which are zstd-compressed. */
function readZedDatabase(path: string): Generator<JsonObject> {
  return databaseOf(path, function* (database) {
    for (const { id, data_type: type, data } of database
      .prepare('SELECT id, data_type, data FROM threads ORDER BY updated_at')
      .iterate()) {
      const thread = parsed(
        type === 'zstd'
          ? unpacked(data as Uint8Array)
          : Buffer.from(data as Uint8Array).toString('utf8'),
      );
      yield isObject(thread) ? { ...thread, id } : { id, broken: textOf(type) };
    }
  });
}

function unpacked(data: Uint8Array): string {
  const { zstdDecompressSync } = process.getBuiltinModule('node:zlib');
  if (typeof zstdDecompressSync !== 'function')
    throw new UnrutError(
      'packed',
      'its threads are packed with zstd, which this version of Node cannot unpack: use 22.15 or later',
    );
  return zstdDecompressSync(data).toString('utf8');
}
