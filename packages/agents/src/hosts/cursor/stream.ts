import { isObject, type JsonObject, objectOf, parsed, textOf } from '@unrut/engine/json';
import type { ImportedRun, Importer, Returned } from '@unrut/reading/importer';
import { contentBlocks } from '@unrut/reading/message-content';
import { spentIn } from '@unrut/reading/response-cost';
import { returnedWith } from '@unrut/reading/returned-with';
import { kindOf } from '@unrut/reading/run-documents';

/**
 * The output of `cursor-agent --output-format stream-json`, with or without
 * `--stream-partial-output`.
 */
export const cursorStream: Importer = {
  name: 'cursor-stream',
  reads: '`cursor-agent -p --output-format stream-json`',
  sample: 'written after its documentation',
  recognises: (first) => first.some(isRecord),
  open(source) {
    /** Streamed text that was not emitted yet. */
    let saying = '';
    let thinking = '';
    let session: string | undefined;
    let result: JsonObject | undefined;
    let tokens = 0;

    function think(run: ImportedRun, at: unknown): void {
      run.thinks(thinking, { at });
      thinking = '';
    }

    function say(run: ImportedRun, text: string, at: unknown): void {
      if (text.trim() !== '') run.says(text, { at });
      saying = '';
    }

    return {
      read(record) {
        if (!isObject(record)) {
          source.unknown(kindOf(record));
          return;
        }
        const { type, subtype, timestamp_ms: at } = record;
        session = textOf(record.session_id) || session;
        const run = source.run(session);
        const text = textIn(record);
        if (type === 'thinking') {
          thinking += textOf(record.text);
          if (subtype === 'completed') think(run, at);
          return;
        }
        if (type === 'assistant' && at !== undefined && record.model_call_id === undefined) {
          saying += text;
          return;
        }
        think(run, at);
        // The complete message repeats the streamed text.
        say(run, type === 'assistant' ? text : saying, at);
        if (type === 'user') run.person(text, { at });
        else if (type === 'result') {
          // A session that was resumed has several.
          result = record;
          // Cached tokens are counted separately.
          tokens +=
            spentIn(record.usage, {
              input: 'inputTokens',
              output: ['outputTokens', 'cacheWriteTokens'],
            })?.tokens ?? 0;
        } else if (type === 'tool_call' && isObject(record.tool_call)) {
          const { tool, args, returned } = cursorCall(record.tool_call);
          const id = textOf(record.call_id) || textOf(record.tool_call.toolCallId) || undefined;
          const batch = textOf(record.model_call_id);
          const isOver = subtype === 'completed';
          if (isOver && run.returns(id, returned, { at })) return;
          run.calls({ tool, args, ...(id ? { id } : {}), ...(batch ? { batch } : {}) }, { at });
          if (isOver) run.returns(id, returned, { at });
        } else if (!SILENT.has(textOf(type))) source.unknown(kindOf(record));
      },
      end() {
        if (saying !== '') say(source.run(session), saying, undefined);
        if (result)
          source
            .run(session)
            .ends({ outcome: textOf(result.subtype), ...(tokens > 0 ? { cost: { tokens } } : {}) });
      },
    };
  },
};

const SILENT = new Set(['system', 'assistant', 'interaction_query', 'retry', 'connection']);

function isRecord(record: unknown): boolean {
  if (!isObject(record)) return false;
  const { type, subtype, tool_call: call, tools, uuid } = record;
  if (type === 'tool_call')
    return isObject(call) && (subtype === 'started' || subtype === 'completed');
  if (type === 'thinking') return subtype === 'delta' || subtype === 'completed';
  // Claude Code's begins alike, but lists its tools.
  return (
    type === 'system' &&
    subtype === 'init' &&
    'apiKeySource' in record &&
    tools === undefined &&
    uuid === undefined
  );
}

const textIn = ({ message }: JsonObject): string =>
  (isObject(message) ? contentBlocks(message.content) : [])
    .filter(({ type }) => type === 'text')
    .map(({ text }) => textOf(text))
    .join('');

/** Outcomes that are no failure. */
const GOOD = new Set([
  'success',
  'complete',
  'stillRunning',
  'registered',
  'approved',
  'async',
  'needsConfirmation',
]);

/**
 * A call in Cursor's stream: the tool is the name of the field that holds it, such as
 * `shellToolCall`.
 */
function cursorCall(call: JsonObject): { tool: string; args: unknown; returned: Returned } {
  if (isObject(call.function)) {
    const { name, arguments: args, result } = call.function;
    return { tool: textOf(name), args: parsed(args), returned: outcomeOf(result) };
  }
  const field =
    Object.keys(call).find((key) => key.endsWith('ToolCall') && isObject(call[key])) ?? '';
  const { args, result } = (call[field] ?? {}) as JsonObject;
  const returned = outcomeOf(result);
  if (field === 'mcpToolCall' && isObject(args))
    return { tool: textOf(args.toolName) || textOf(args.name), args: args.args, returned };
  return { tool: field.slice(0, -'ToolCall'.length), args, returned };
}

/** A result is stored under the name of its outcome. */
function outcomeOf(result: unknown): Returned {
  if (!isObject(result)) return result === undefined ? {} : { result };
  const outcome = Object.keys(result)[0] ?? 'success';
  const told = result[outcome];
  const { exitCode, isError } = objectOf(told);
  const isGood = GOOD.has(outcome) && isError !== true;
  // No user can be asked, so Cursor itself rejects the call.
  const refusedBy =
    outcome === 'rejected' ? 'host' : outcome === 'toolNotFound' ? 'unknown-tool' : undefined;
  return returnedWith({
    result: wordsOf(told),
    error: isGood ? undefined : true,
    exitCode,
    refusedBy,
  });
}

/** The text that the model sees; the whole value if that is unclear. */
function wordsOf(told: unknown): unknown {
  if (!isObject(told)) return told;
  const {
    interleavedOutput,
    stdout,
    stderr,
    content,
    modelVisibleError,
    errorMessage,
    error,
    reason,
    message,
  } = told;
  if (typeof interleavedOutput === 'string') return interleavedOutput;
  if (typeof stdout === 'string' || typeof stderr === 'string')
    return `${textOf(stdout)}${textOf(stderr)}`;
  return (
    [content, modelVisibleError, errorMessage, error, reason, message].find(
      (text) => typeof text === 'string' && text !== '',
    ) ?? told
  );
}
