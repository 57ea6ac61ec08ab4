import {
  isObject,
  type JsonObject,
  listOf,
  objectOf,
  parsed,
  textOf,
  valueIn,
} from '@unrut/engine/json';
import { databaseOf } from '@unrut/ledger/sqlite/database-of';
import { called, messageImporter, type Part, returned, told } from '@unrut/reading/message-format';
import { spent } from '@unrut/reading/response-cost';

/** Chats of Cursor's editor: its `state.vscdb`, with a bubble for each message or call. */
export const cursorChat = messageImporter({
  name: 'cursor-chat',
  reads: "chats of Cursor's editor in its `state.vscdb`",
  sample: 'written after public readers of its database',
  isMessage: ({ type, bubbleId, text, toolFormerData: tool, thinking }) =>
    (type === 1 || type === 2) &&
    (bubbleId !== undefined || tool !== undefined) &&
    [text, tool, thinking].some((each) => each !== undefined),
  database: readCursorDatabase,
  lists: ['bubbles', 'conversation'],
  ids: ['composerId'],
  parts: bubbleParts,
  moment: ({ createdAt: at, tokenCount }) => {
    const { inputTokens, outputTokens } = objectOf(tokenCount);
    return {
      at,
      cost:
        inputTokens || outputTokens
          ? spent({ input: inputTokens, output: outputTokens })
          : undefined,
    };
  },
  // A bubble that was begun and left empty.
  isSilent: (value) => value === null || (isObject(value) && 'bubbleId' in value),
});

function bubbleParts({ type, bubbleId, text, thinking, toolFormerData: tool }: JsonObject): Part[] {
  if (type === 1) return told('person', text);
  const said = [...told('thinks', valueIn(thinking, 'text')), ...told('says', text)];
  if (!isObject(tool) || textOf(tool.name) === '') return said;
  const id = textOf(tool.toolCallId) || textOf(bubbleId);
  const call = called(id, tool.name, tool.rawArgs ?? tool.params);
  const error =
    valueIn(parsed(tool.error), 'modelVisibleErrorMessage') ??
    valueIn(parsed(tool.error), 'clientVisibleErrorMessage') ??
    tool.error;
  if (tool.userDecision === 'rejected')
    return [...said, call, returned(id, undefined, { refusedBy: 'user' })];
  if (tool.status === 'error' || tool.status === 'cancelled')
    return [...said, call, returned(id, error ?? resultOf(tool.result), { error: true })];
  return tool.status === 'completed' || tool.result !== undefined
    ? [...said, call, resultPart(id, tool.result)]
    : [...said, call];
}

/** Results are JSON text; for commands, with the output and the exit code. */
const resultOf = (result: unknown): unknown => {
  const value = parsed(result);
  return isObject(value) && typeof value.output === 'string' ? value.output : value;
};

function resultPart(id: string, result: unknown): Part {
  const exit = valueIn(parsed(result), 'exitCodeV2') ?? valueIn(parsed(result), 'exitCode');
  return returned(id, resultOf(result), { exitCode: exit });
}

/** The chats of Cursor's database. Only their keys are read, since others hold credentials. */
function readCursorDatabase(path: string): Generator<JsonObject> {
  return databaseOf(path, function* (database) {
    const composers = database.prepare(
      "SELECT key, value FROM cursorDiskKV WHERE key LIKE 'composerData:%' ORDER BY rowid",
    );
    const bubble = database.prepare('SELECT value FROM cursorDiskKV WHERE key = ?');
    for (const { key, value } of composers.all()) {
      const composer = parsed(valueText(value));
      if (!isObject(composer)) continue;
      const composerId = textOf(composer.composerId) || textOf(key).slice('composerData:'.length);
      const headers = listOf(composer.fullConversationHeadersOnly);
      const bubbles = headers.map((header) => {
        const id = textOf(valueIn(header, 'bubbleId'));
        return (
          parsed(valueText(bubble.get(`bubbleId:${composerId}:${id}`)?.value)) ?? { bubbleId: id }
        );
      });
      const inline = listOf(composer.conversation);
      if (bubbles.length + inline.length > 0)
        yield { composerId, name: composer.name, bubbles: bubbles.length > 0 ? bubbles : inline };
    }
  });
}

const valueText = (value: unknown): unknown =>
  value instanceof Uint8Array ? Buffer.from(value).toString('utf8') : value;
