import { isObject, type JsonObject, textOf } from '@unrut/engine/json';
import type { ImportedRun, Importer } from '@unrut/reading/importer';
import { responseCost } from '@unrut/reading/response-cost';
import { kindOf } from '@unrut/reading/run-documents';
import { claudeCodeThreads } from './threads.ts';
import { readClaudeLine } from './transcript.ts';

/** Stream messages that hold no step. Deltas are repeated as complete messages. */
const NO_STEPS = new Set(
  (
    'stream_event tool_progress tool_use_summary rate_limit_event auth_status active_goal prompt_suggestion conversation_reset ' +
    'keep_alive control_request control_response control_cancel_request'
  ).split(' '),
);

/**
 * Usage that a session's results reported in addition to its messages: tokens of incomplete
 * answers, and the price.
 */
interface Rest {
  tokens: number;
  usd: number;
  /** The messages' tokens at the last result, and the price so far. */
  told: number;
  lastUsd: number;
  outcome: string;
}

/** The output of the Claude Agent SDK and of `claude -p --output-format stream-json`. */
export const claudeStream: Importer = {
  name: 'claude-stream',
  reads: 'the stream of the Claude Agent SDK and of `claude -p --output-format stream-json`',
  sample: 'recorded, 2.1.325',
  recognises: (first) => first.some(isLine) && !first.some(isOfDroid),
  open(source) {
    const threadOf = claudeCodeThreads(source);
    const rests = new Map<ImportedRun, Rest>();
    return {
      read(record) {
        if (!isObject(record)) {
          source.unknown(kindOf(record));
          return;
        }
        const line = asTranscript(record);
        const thread = threadOf(line);
        const type = textOf(record.type);
        if (type === 'result')
          rests.set(thread.run, readResult(rests.get(thread.run), record, thread.told));
        else if (!readClaudeLine(source, line, thread) && !NO_STEPS.has(type))
          source.unknown(type || 'line without a type');
      },
      end() {
        for (const [run, { tokens, usd, outcome }] of rests) {
          const cost = { ...(tokens > 0 ? { tokens } : {}), ...(usd > 0 ? { usd } : {}) };
          run.ends({ outcome, ...(Object.keys(cost).length > 0 ? { cost } : {}) });
        }
      },
    };
  },
};

/** Renames the fields to those of a transcript. */
function asTranscript({
  session_id: sessionId,
  isSynthetic: isMeta,
  tool_use_result: toolUseResult,
  ...record
}: JsonObject): JsonObject {
  const agentId = textOf(record.agent_id) || textOf(record.parent_tool_use_id);
  return { ...record, sessionId, isMeta, toolUseResult, isSidechain: agentId !== '', agentId };
}

function isLine(record: unknown): boolean {
  if (!isObject(record) || typeof record.session_id !== 'string') return false;
  const { type } = record;
  if (type === 'assistant' || type === 'user')
    return isObject(record.message) && 'parent_tool_use_id' in record;
  return type === 'system'
    ? record.subtype === 'init' && Array.isArray(record.tools)
    : type === 'result' && 'total_cost_usd' in record;
}

/** Factory's Droid starts its stream in the same way. */
const isOfDroid = (record: unknown): boolean =>
  isObject(record) && (record.type === 'tool_call' || record.type === 'completion');

/** The end of a turn. Its usage is complete, whereas a message's usage is preliminary. */
function readResult(
  before: Rest | undefined,
  { usage, total_cost_usd: usd, subtype }: JsonObject,
  told: number,
): Rest {
  const rest = before ?? { tokens: 0, usd: 0, told: 0, lastUsd: 0, outcome: '' };
  const price = typeof usd === 'number' ? usd : rest.lastUsd;
  return {
    tokens: rest.tokens + Math.max(0, (responseCost(usage)?.tokens ?? 0) - (told - rest.told)),
    // The price accumulates within a process, and restarts with a new one.
    usd: rest.usd + (price >= rest.lastUsd ? price - rest.lastUsd : price),
    told,
    lastUsd: price,
    outcome: textOf(subtype),
  };
}
