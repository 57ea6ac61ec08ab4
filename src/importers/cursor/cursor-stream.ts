import { isObject, type JsonObject, textOf } from '../../json.ts';
import { contentBlocks } from '../content-blocks.ts';
import type { Importer, Moment, Run } from '../importer.ts';
import { kindOf } from '../run-documents.ts';
import { tokenCost } from '../token-cost.ts';
import { cursorCall } from './cursor-call.ts';

/** What `cursor-agent --output-format stream-json` prints, with or without `--stream-partial-output`. */
export const cursorStream: Importer = {
  name: 'cursor-stream',
  reads: '`cursor-agent -p --output-format stream-json`',
  recognises: (first) => first.some(isRecord),
  open(source) {
    /** What has been streamed and not yet said or thought. */
    let saying = '';
    let thinking = '';
    let session: string | undefined;
    let result: JsonObject | undefined;
    let tokens = 0;

    function think(run: Run, at: unknown): void {
      run.thinks(thinking, { at });
      thinking = '';
    }

    function say(run: Run, text: string, at: unknown): void {
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
        // The whole message repeats what was streamed of it.
        say(run, type === 'assistant' ? text : saying, at);
        if (type === 'user') run.person(text, { at });
        else if (type === 'result') {
          // A session that was resumed has several.
          result = record;
          tokens += costOf(record.usage)?.tokens ?? 0;
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
        if (result) source.run(session).ends({ outcome: textOf(result.subtype), ...(tokens > 0 ? { cost: { tokens } } : {}) });
      },
    };
  },
};

const SILENT = new Set(['system', 'assistant', 'interaction_query', 'retry', 'connection']);

function isRecord(record: unknown): boolean {
  if (!isObject(record)) return false;
  const { type, subtype, tool_call: call, tools, uuid } = record;
  if (type === 'tool_call') return isObject(call) && (subtype === 'started' || subtype === 'completed');
  if (type === 'thinking') return subtype === 'delta' || subtype === 'completed';
  // Claude Code's begins alike, but lists its tools.
  return type === 'system' && subtype === 'init' && 'apiKeySource' in record && tools === undefined && uuid === undefined;
}

const textIn = ({ message }: JsonObject): string =>
  (isObject(message) ? contentBlocks(message.content) : [])
    .filter(({ type }) => type === 'text')
    .map(({ text }) => textOf(text))
    .join('');

/** What was read from the cache is counted apart. */
const costOf = (usage: unknown): Moment['cost'] =>
  isObject(usage) ? tokenCost(usage.inputTokens, 0, usage.outputTokens, usage.cacheWriteTokens) : undefined;
