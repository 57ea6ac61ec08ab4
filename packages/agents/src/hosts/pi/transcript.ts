import { isObject, type JsonObject, objectOf, textOf } from '@unrut/engine/json';
import type { ImportedRun, Importer, Source } from '@unrut/reading/importer';
import { contentBlocks } from '@unrut/reading/message-content';
import { costOnFirst, spentIn } from '@unrut/reading/response-cost';
import { kindOf } from '@unrut/reading/run-documents';
import { alongActiveBranch } from './active-branch.ts';
import { piResult, tellsError, wordsIn } from './result.ts';

/** Entries of a session file that hold no step. */
const ENTRIES =
  'model_change thinking_level_change branch_summary custom custom_message label session_info';
/** Events of `--mode json` that hold no step, or that `message_end` repeats. */
const EVENTS =
  'agent_start agent_end turn_start turn_end message_start message_update tool_execution_start tool_execution_update tool_execution_end compaction_start auto_retry_start auto_retry_end queue_update session_info_changed thinking_level_changed';
const SILENT = new Set(`${ENTRIES} ${EVENTS}`.split(' '));
/** Messages that extensions put in, and summaries. */
const INJECTED = new Set(['custom', 'hookMessage', 'branchSummary', 'compactionSummary']);

/** pi: session files in `~/.pi/agent/sessions`, and the output of `--mode json`. */
export const piTranscript: Importer = {
  name: 'pi',
  reads: "pi's session files in `~/.pi/agent/sessions`, and its `--mode json`",
  sample: 'recorded, 1.5',
  version: { tried: '3', at: 'version', isFormat: true },
  recognises: (first) => isPiSession(first) && !first.some(isOfOpenclaw),
  open: (source) => readPiSession(source),
};

/** Whether these are records of a session of pi, or of a program based on it. */
export const isPiSession = (first: readonly unknown[]): boolean => first.some(isEntry);

/** Tools that exist in OpenClaw and not in pi. */
const OF_OPENCLAW =
  /^(?:exec|process|sessions_\w+|session_status|subagents|memory_(?:search|get)|gateway|nodes|cron)$/;

/** Whether only OpenClaw writes such an entry, judging by its marks, folders and tools. */
export function isOfOpenclaw(record: unknown): boolean {
  const { type, cwd, customType, message } = objectOf(record);
  if (type === 'session') return /[\\/]\.(?:openclaw|clawdbot)(?:[\\/]|$)/.test(textOf(cwd));
  if (type === 'custom') return /^openclaw\b|^model-snapshot$/.test(textOf(customType));
  const { role, toolName, content } = objectOf(message);
  if (type !== 'message' || role !== 'toolResult') return false;
  return OF_OPENCLAW.test(textOf(toolName)) || tellsError(wordsIn(content));
}

/** `repeatsPrompt`: the host sends the last prompt again after a compaction. */
export function readPiSession(
  source: Source,
  { repeatsPrompt = false } = {},
): ReturnType<Importer['open']> {
  let session: string | undefined;
  let messages = 0;
  /** The user's last text, until a compaction or another action. */
  let asked: string | undefined;
  let isCompacted = false;
  const branch = alongActiveBranch(tellEntry);

  function tellEntry(entry: JsonObject): void {
    const { type, timestamp, message, result } = entry;
    if ((type === 'message' || type === 'message_end') && isObject(message)) {
      const said = message.role === 'user' ? wordsIn(message.content) : undefined;
      const isRepeated = repeatsPrompt && isCompacted && said !== undefined && said === asked;
      isCompacted = false;
      asked = said ?? asked;
      if (isRepeated) return;
      const at = timestamp ?? message.timestamp;
      if (!tell(source.run(session), message, at, `#${messages++}`))
        source.unknown(`message of ${textOf(message.role)}`);
    } else if (type === 'compaction' || (type === 'compaction_end' && isObject(result))) {
      isCompacted = true;
      source.run(session).compacted({ at: timestamp });
    } else if (type !== 'compaction_end' && !SILENT.has(textOf(type)))
      source.unknown(kindOf(entry));
  }

  return {
    read(record) {
      if (!isObject(record)) source.unknown(kindOf(record));
      else if (record.type === 'session') {
        branch.end();
        session = textOf(record.id) || undefined;
      } else branch.add(record);
    },
    end: branch.end,
  };
}

function isEntry(record: unknown): boolean {
  if (!isObject(record)) return false;
  const { type, id, cwd, message } = record;
  if (type === 'session') return typeof id === 'string' && typeof cwd === 'string';
  if ((type !== 'message' && type !== 'message_end') || !isObject(message)) return false;
  return (
    message.role === 'toolResult' ||
    message.role === 'bashExecution' ||
    typeof message.timestamp === 'number'
  );
}

function tell(run: ImportedRun, message: JsonObject, at: unknown, batch: string): boolean {
  const { role, content } = message;
  if (role === 'user') run.person(wordsIn(content), { at });
  // A person ran it with `!`.
  else if (role === 'bashExecution') run.person(`!${textOf(message.command)}`, { at });
  else if (role === 'toolResult')
    run.returns(textOf(message.toolCallId), piResult(message), { at });
  else if (role === 'assistant') {
    const cost = spentIn(message.usage, {
      input: 'input',
      output: ['output', 'cacheWrite'],
      usd: 'cost.total',
    });
    const moment = costOnFirst({ at, cost });
    for (const { type, text, thinking, id, name, arguments: args } of contentBlocks(content)) {
      if (type === 'thinking' && textOf(thinking).trim() !== '')
        run.thinks(textOf(thinking), moment());
      else if (type === 'text' && textOf(text).trim() !== '') run.says(textOf(text), moment());
      else if (type === 'toolCall')
        run.calls({ id: textOf(id), tool: textOf(name), args, batch }, moment());
    }
  } else return INJECTED.has(textOf(role));
  return true;
}
