import { hash32 } from '../../hash.ts';
import type { CallPrint, ResultPrint } from '../../prints.ts';
import { push, remember } from '../../recent.ts';
import type { Fingerprint, Neutral } from '../fingerprint.ts';
import type { LastResult } from '../last-results.ts';
import { MAX_TARGETS } from '../progress/question.ts';
import type { ReaderState } from '../reader-state.ts';
import { bySpacing } from '../world/rules.ts';
import type { NeutralQuestion } from './rules.ts';

/** A response never makes more calls than this. */
export const MAX_BATCH = 32;
const MAX_MADE = 8;

/**
 * Reads what the rules of neutrality look at. `isTold`: the silence before the call is known not to
 * be the model's.
 */
export function neutralQuestion(
  state: ReaderState,
  { batch, world }: Fingerprint,
  call: CallPrint,
  result: ResultPrint,
  before: LastResult | undefined,
  isTold: boolean,
): NeutralQuestion {
  const { keys, failures } = state.batch.id === batch ? state.batch : NOTHING_YET;
  const repeated = before !== undefined;
  return {
    call,
    result,
    callInBatch: keys.includes(call.key),
    failureInBatch: result.error !== null && failures.includes(result.error.class),
    repeated,
    readAgain: isReadAgain(state, call, repeated),
    waited: hasWaited(state, before),
    world: world?.world ?? 'closed',
    guessed: world !== undefined && bySpacing(world) && !isTold,
    times: mayBeAsked(state, world?.world === 'closed', call)
      ? (state.made.find(([key]) => key === call.key)?.[1] ?? 0) + 1
      : 0,
    asked: state.asked.times,
  };
}
const NOTHING_YET: ReaderState['batch'] = { id: '', keys: [], failures: [] };

/** Whether the agent waited since the call was last made, or just before it. */
export const hasWaited = (
  { waited, rests }: ReaderState,
  before: LastResult | undefined,
): boolean => waited || (before !== undefined && (before.rests ?? 0) < rests);

/** Kinds that are decided before the batch is looked at, and before the parts of a target are. */
const BEFORE_BATCH: ReadonlySet<string> = new Set<Neutral>(['wait', 'transient-error']);
const BEFORE_PARTS: ReadonlySet<string> = new Set<Neutral>([...BEFORE_BATCH, 'batch'] as Neutral[]);

/** Remembers what later questions are compared with. */
export function rememberNeutral(
  state: ReaderState,
  { batch }: Fingerprint,
  { call, result, times }: NeutralQuestion,
  neutral: Neutral | null,
): void {
  if (neutral !== null && BEFORE_BATCH.has(neutral)) return;
  if (state.batch.id !== batch) state.batch = { id: batch, keys: [], failures: [] };
  push(state.batch.keys, call.key, MAX_BATCH);
  if (result.error) push(state.batch.failures, result.error.class, MAX_BATCH);
  if (neutral !== null && BEFORE_PARTS.has(neutral)) return;
  if (state.reread !== null && call.verb === 'read') {
    const part = hash32(call.key);
    if (!state.reread.includes(part)) push(state.reread, part, MAX_TARGETS);
  }
  if (times > 0 && (neutral === null || neutral === 'asked'))
    remember(state.made, call.key, times, MAX_MADE);
}

/**
 * It was looked at before the context was compacted, and this part of it not yet since: after a
 * compaction, an agent reads a long file again in parts.
 */
const isReadAgain = (state: ReaderState, call: CallPrint, repeated: boolean): boolean =>
  state.reread !== null &&
  call.verb === 'read' &&
  !state.reread.includes(hash32(call.key)) &&
  (repeated || state.looked.includes(hash32(call.target ?? call.key)));

/** The user named a count, and the call is one that may be meant: a program, or a question about state. */
const mayBeAsked = ({ asked }: ReaderState, isClosed: boolean, call: CallPrint): boolean =>
  asked.times > 0 &&
  call.verb !== 'write' &&
  (!isClosed || call.verb === 'execute' || call.verb === 'verify' || mayDiffer(call));

/** A tool that is no look at content: a die, a measurement. */
const mayDiffer = ({ verb, asks, target }: CallPrint): boolean =>
  (verb === 'unknown' || verb === 'read') && asks !== 'content' && !target?.startsWith('file:');
