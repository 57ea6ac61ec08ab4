import { isObject, type JsonObject, objectOf, parsed, textOf } from '@unrut/engine/json';
import { databaseOf } from '@unrut/ledger/sqlite/database-of';
import type { ImportedRun, Importer, Returned } from '@unrut/reading/importer';
import { contentBlocks } from '@unrut/reading/message-content';
import { returnedWith } from '@unrut/reading/returned-with';
import { kindOf } from '@unrut/reading/run-documents';

/** Blocks that hold no step. */
const SILENT = new Set(
  'image redactedThinking toolConfirmationRequest actionRequired systemNotification summarizationRequested contextLengthExceeded'.split(
    ' ',
  ),
);

/**
 * goose: the output of `goose session export --format json`, its database, and JSON lines of
 * versions before 1.10.
 */
export const gooseTranscript: Importer = {
  name: 'goose',
  reads:
    "goose's sessions: `goose session export --format json`, its database, and the JSON lines of old versions",
  sample: 'written after its source',
  database: readGooseDatabase,
  recognises: (first) => first.some((record) => isSession(record) || isMessage(record)),
  open(source) {
    let messages = 0;

    function tell(run: ImportedRun, message: JsonObject, isNested: boolean): void {
      const { role, created: at, content, metadata } = message;
      const blocks = contentBlocks(content);
      const batch = textOf(message.id) || `#${messages++}`;
      // Summaries and reminders are for the model only.
      const isInjected = isObject(metadata) && metadata.userVisible === false;
      const typed = blocks.flatMap(({ type, text }) => (type === 'text' ? [textOf(text)] : []));
      if (role === 'user' && typed.length > 0 && !isInjected && !isNested)
        run.person(typed.join('\n'), { at });
      for (const block of blocks) {
        const { type, id, text, thinking, toolCall } = block;
        if (type === 'toolRequest' || type === 'frontendToolRequest')
          run.calls({ id: textOf(id), ...callOf(toolCall), batch }, { at });
        else if (type === 'toolResponse')
          run.returns(textOf(id), gooseResult(block.toolResult), { at });
        else if (type === 'thinking' || type === 'reasoning')
          run.thinks(textOf(thinking) || textOf(text), { at });
        else if (type === 'conversationCompacted') run.compacted({ at });
        else if (type === 'text') {
          if (role === 'assistant' && !isInjected && textOf(text).trim() !== '')
            run.says(textOf(text), { at });
        } else if (!SILENT.has(textOf(type))) source.unknown(textOf(type) || 'block');
      }
    }

    return {
      read(record) {
        if (isSession(record)) {
          const run = source.run(textOf(record.id) || undefined);
          for (const message of record.conversation) {
            if (isObject(message)) tell(run, message, record.session_type === 'sub_agent');
            else source.unknown(kindOf(message));
          }
        } else if (isMessage(record)) tell(source.run(), record, false);
        // The first JSON line describes the session.
        else if (!isObject(record) || typeof record.working_dir !== 'string')
          source.unknown(kindOf(record));
      },
    };
  },
};

const isSession = (record: unknown): record is JsonObject & { conversation: unknown[] } =>
  isObject(record) && Array.isArray(record.conversation) && typeof record.working_dir === 'string';

/** Other agents do not combine `created` in seconds with a list of blocks. */
const isMessage = (record: unknown): record is JsonObject =>
  isObject(record) &&
  (record.role === 'user' || record.role === 'assistant') &&
  typeof record.created === 'number' &&
  Array.isArray(record.content) &&
  record.type === undefined;

/** An invalid call has only an error instead of its name and arguments. */
function callOf(toolCall: unknown): { tool: string; args: unknown } {
  const call = objectOf(toolCall);
  const { name, arguments: args } = isObject(call.value) ? call.value : call;
  return { tool: textOf(name) || 'unknown', args: args ?? {} };
}

/**
 * The outcome of a call, from `toolResult`: an MCP result, in old versions only its content, or an
 * error text.
 */
function gooseResult(toolResult: unknown): Returned {
  if (!isObject(toolResult)) return toolResult === undefined ? {} : { result: toolResult };
  const { status, value, error } = toolResult;
  const { content, isError, structuredContent } = isObject(value) ? value : { content: value };
  const result = status === 'error' && error !== undefined ? error : wordsFor(content);
  const { exit_code: exitCode } = objectOf(structuredContent);
  const refusedBy = refuser(textOf(result));
  return returnedWith({
    result,
    error: status === 'error' || isError === true || refusedBy ? true : undefined,
    exitCode,
    refusedBy,
  });
}

/** Content for the user only is not shown to the model. */
const isForModel = ({ annotations }: JsonObject): boolean =>
  !isObject(annotations) ||
  !Array.isArray(annotations.audience) ||
  annotations.audience.includes('assistant');

const wordsFor = (content: unknown): string =>
  contentBlocks(content)
    .filter(isForModel)
    .flatMap(
      ({ text, resource }) => textOf(text) || (isObject(resource) && textOf(resource.text)) || [],
    )
    .join('\n');

/** Errors of MCP begin with their code. */
function refuser(message: string): Returned['refusedBy'] {
  if (message.startsWith('The user has declined to run this tool.')) return 'user';
  if (/^(?:-\d+: )?Tool '[^']*' not found/.test(message)) return 'unknown-tool';
  return message.startsWith('-32602: ') ? 'schema' : undefined;
}

/**
 * The sessions of goose's database (`sessions.db`) in the format of `goose session export --format
 * json`, oldest first.
 */
export function readGooseDatabase(path: string): Generator<JsonObject> {
  return databaseOf(path, function* (database) {
    const messages = database.prepare(
      'SELECT role, content_json, created_timestamp, metadata_json FROM messages WHERE session_id = ? ORDER BY id',
    );
    // The first versions had no session types, so all columns are read.
    const sessions = database.prepare('SELECT * FROM sessions ORDER BY created_at, id').all();
    for (const { id, working_dir, session_type } of sessions) {
      yield {
        id,
        working_dir,
        ...(session_type === undefined ? {} : { session_type }),
        conversation: messages
          .all(textOf(id))
          .map(({ role, content_json, created_timestamp, metadata_json }) => ({
            role,
            created: created_timestamp,
            content: parsed(content_json),
            metadata: parsed(metadata_json),
          })),
      };
    }
  });
}
