import { isObject, type JsonObject, objectsOf, textOf } from '../../json.ts';
import { type Chat, createChat } from '../reading/chat/chat.ts';
import { messageParts } from '../reading/chat/message-parts.ts';
import type { Part } from '../reading/chat/part.ts';
import type { ImportedRun, Importer, ImportMoment, Source } from '../reading/importer.ts';
import { responseCost } from '../reading/response-cost.ts';
import { kindOf } from '../reading/run-documents.ts';
import { besideResult, claudeCodeResult } from './result.ts';
import { claudeCodeTyped } from './typed.ts';

/** Messages of the stream that hold no step. Its deltas come again as whole messages. */
const NO_STEPS = new Set(
  (
    'stream_event tool_progress tool_use_summary rate_limit_event auth_status active_goal prompt_suggestion conversation_reset ' +
    'keep_alive control_request control_response control_cancel_request'
  ).split(' '),
);

/** A session or a nested agent in it. */
interface Thread {
  run: ImportedRun;
  chat: Chat;
  isNested: boolean;
  /** The response of the last message, which repeats its usage on each of its blocks. */
  response: unknown;
  /** Tokens told with messages since the last result. */
  told: number;
  /** What the results told beside: tokens of answers that were still being written, and the price. */
  rest: { tokens: number; usd: number };
  lastUsd: number;
  outcome: string | undefined;
}

/** What the Claude Agent SDK and `claude -p --output-format stream-json` print. */
export const claudeStream: Importer = {
  name: 'claude-stream',
  reads: 'the stream of the Claude Agent SDK and of `claude -p --output-format stream-json`',
  sample: 'recorded, 2.1.325',
  recognises: (first) => first.some(isLine) && !first.some(isOfDroid),
  open(source) {
    const threads = new Map<string, Thread>();
    return {
      read(record) {
        if (!isObject(record)) {
          source.unknown(kindOf(record));
          return;
        }
        const { type, message } = record;
        const moment = { at: record.timestamp };
        if (type === 'assistant' && isObject(message)) readAssistant(threadOf(source, threads, record), message, moment);
        else if (type === 'user' && isObject(message)) readUser(threadOf(source, threads, record), record, message, moment);
        else if (type === 'result') readResult(threadOf(source, threads, record), record);
        else if (type === 'system') {
          if (record.subtype === 'compact_boundary') threadOf(source, threads, record).run.compacted(moment);
        } else if (!NO_STEPS.has(textOf(type))) source.unknown(textOf(type) || 'line without a type');
      },
      end() {
        for (const { run, rest, outcome } of threads.values()) {
          const cost = { ...(rest.tokens > 0 ? { tokens: rest.tokens } : {}), ...(rest.usd > 0 ? { usd: rest.usd } : {}) };
          if (outcome !== undefined) run.ends({ outcome, ...(Object.keys(cost).length > 0 ? { cost } : {}) });
        }
      },
    };
  },
};

function isLine(record: unknown): boolean {
  if (!isObject(record) || typeof record.session_id !== 'string') return false;
  const { type } = record;
  if (type === 'assistant' || type === 'user') return isObject(record.message) && 'parent_tool_use_id' in record;
  return type === 'system' ? record.subtype === 'init' && Array.isArray(record.tools) : type === 'result' && 'total_cost_usd' in record;
}

/** Factory's Droid begins its stream in the same way. */
const isOfDroid = (record: unknown): boolean => isObject(record) && (record.type === 'tool_call' || record.type === 'completion');

function threadOf(source: Source, threads: Map<string, Thread>, record: JsonObject): Thread {
  const session = textOf(record.session_id) || undefined;
  const agent = textOf(record.agent_id) || textOf(record.parent_tool_use_id) || undefined;
  const key = JSON.stringify([session, agent]);
  let thread = threads.get(key);
  if (!thread) {
    const run = source.run(session, agent);
    const isNested = agent !== undefined;
    thread = {
      run,
      chat: createChat(run, source),
      isNested,
      response: undefined,
      told: 0,
      rest: { tokens: 0, usd: 0 },
      lastUsd: 0,
      outcome: undefined,
    };
    threads.set(key, thread);
  }
  return thread;
}

function readAssistant(thread: Thread, message: JsonObject, moment: ImportMoment): void {
  // A failure of the API, in the form of a message.
  if (message.model === '<synthetic>') return;
  const isSame = message.id !== undefined && message.id === thread.response;
  thread.response = message.id;
  const cost = isSame ? undefined : responseCost(message.usage);
  thread.told += cost?.tokens ?? 0;
  thread.chat.tell(
    messageParts({ ...message, role: 'assistant' }),
    cost === undefined ? moment : { ...moment, cost },
    textOf(message.id) || undefined,
  );
}

function readUser(thread: Thread, record: JsonObject, { content }: JsonObject, moment: ImportMoment): void {
  const results = objectsOf(content).filter((block) => block.type === 'tool_result');
  const parts = results.map((block): Part => {
    const id = textOf(block.tool_use_id);
    const { permission_decision: decision } = objectsOf(record.tool_result_meta).find((each) => each.id === id) ?? {};
    const returned = { ...claudeCodeResult(block.content, block.is_error === true), ...besideResult(decision, record.tool_use_result) };
    return { kind: 'returns', id, returned };
  });
  const origin = isObject(record.origin) ? record.origin.kind : 'human';
  const isPerson = parts.length === 0 && !thread.isNested && record.isSynthetic !== true && origin === 'human';
  const typed = isPerson ? claudeCodeTyped(content) : undefined;
  if (typed !== undefined) parts.push({ kind: 'person', text: typed });
  thread.chat.tell(parts, moment);
}

/** A turn is over. Its usage is complete, while that of a message is what was known when the message began. */
function readResult(thread: Thread, { usage, total_cost_usd: usd, subtype }: JsonObject): void {
  thread.rest.tokens += Math.max(0, (responseCost(usage)?.tokens ?? 0) - thread.told);
  thread.told = 0;
  if (typeof usd === 'number') {
    // It counts on through a session, and begins anew with a new process.
    thread.rest.usd += usd >= thread.lastUsd ? usd - thread.lastUsd : usd;
    thread.lastUsd = usd;
  }
  thread.outcome = textOf(subtype);
}
