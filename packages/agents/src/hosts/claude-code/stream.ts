import { isObject, type JsonObject, textOf } from '@unrut/engine/json';
import type { ImportedRun, Importer } from '@unrut/reading/importer';
import { responseCost } from '@unrut/reading/response-cost';
import { kindOf } from '@unrut/reading/run-documents';
import { claudeCodeThreads } from './threads.ts';
import { readClaudeLine } from './transcript.ts';

/** Messages of the stream that hold no step. Its deltas come again as whole messages. */
const NO_STEPS = new Set(
  (
    'stream_event tool_progress tool_use_summary rate_limit_event auth_status active_goal prompt_suggestion conversation_reset ' +
    'keep_alive control_request control_response control_cancel_request'
  ).split(' '),
);

/**
 * What the results of a session reported besides its messages: tokens of answers that were still
 * being written, and the price.
 */
interface Rest {
  tokens: number;
  usd: number;
  /** What the messages had told at the last result, and the price by then. */
  told: number;
  lastUsd: number;
  outcome: string;
}

/** What the Claude Agent SDK and `claude -p --output-format stream-json` print. */
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

/** The line with the names that a transcript has. */
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

/** Factory's Droid begins its stream in the same way. */
const isOfDroid = (record: unknown): boolean =>
  isObject(record) && (record.type === 'tool_call' || record.type === 'completion');

/**
 * A turn is over. Its usage is complete, while that of a message is what was known when the message
 * began.
 */
function readResult(
  before: Rest | undefined,
  { usage, total_cost_usd: usd, subtype }: JsonObject,
  told: number,
): Rest {
  const rest = before ?? { tokens: 0, usd: 0, told: 0, lastUsd: 0, outcome: '' };
  const price = typeof usd === 'number' ? usd : rest.lastUsd;
  return {
    tokens: rest.tokens + Math.max(0, (responseCost(usage)?.tokens ?? 0) - (told - rest.told)),
    // It counts on through a session, and begins again with a new process.
    usd: rest.usd + (price >= rest.lastUsd ? price - rest.lastUsd : price),
    told,
    lastUsd: price,
    outcome: textOf(subtype),
  };
}
