import type { CallFinished } from '../../event.ts';
import { hash32 } from '../../hash.ts';
import type { CallPrint, ResultPrint } from '../../prints.ts';
import { push, recall, remember } from '../../recent.ts';
import type { Neutral } from '../fingerprint.ts';
import type { LastResult } from '../last-results.ts';
import type { ReaderState } from '../reader-state.ts';
import type { ProgressQuestion } from './rules.ts';

/** A shorter error of a known kind only repeats the call's own arguments, so it is not new. */
const SHORT_ERROR = 400;
/** A text with at least this many lines is not written twice by chance. */
const TELLING_LINES = 2;
const MAX_WRITTEN = 24;
export const MAX_TARGETS = 128;
const MAX_TOOLS = 24;
const MAX_DONE = 8;

/** What is asked about one finished call. */
export interface FinishedCall {
  event: CallFinished;
  call: CallPrint;
  result: ResultPrint;
  /** The call's last result. */
  before: LastResult | undefined;
  neutral: Neutral | null;
  ownEdit: boolean;
}

/** Reads what the rules of progress look at, before anything of the call is remembered. */
export function progressQuestion(state: ReaderState, made: FinishedCall): ProgressQuestion {
  const { event, call, result, before, neutral, ownEdit } = made;
  const { error, failures } = result;
  const lastFailures = recall(state.failures, call.tool);
  return {
    call,
    result,
    neutral,
    repeated: before !== undefined,
    failedBefore: before?.failed === true,
    ownEdit,
    firstLook: !state.looked.includes(targetHash(made)),
    firstInVain: !state.looked.includes(vainHash(call)),
    showsContent: event.after !== undefined,
    sameEdit: isSameEdit(state, call),
    fewerFailures: failures !== null && lastFailures !== undefined && failures < lastFailures,
    moreDone: isMoreDone(state, call, result),
    knownError: error !== null && state.errors.includes(error.class),
    shortError: isShort(event),
    report: typeof event.result === 'string' && /\n[^\n]*\n/.test(event.result),
  };
}

/** Remembers what later questions are compared with. */
export function rememberProgress(
  state: ReaderState,
  made: FinishedCall,
  question: ProgressQuestion,
): void {
  const { call, result } = made;
  const { error, failures } = result;
  if (failures !== null) remember(state.failures, call.tool, failures, MAX_TOOLS);
  if (!error && question.firstLook && (call.verb === 'read' || question.showsContent))
    push(state.looked, targetHash(made), MAX_TARGETS);
  if (result.empty && !error && call.verb === 'read' && question.firstInVain)
    push(state.looked, vainHash(call), MAX_TARGETS);
  if (error && !question.knownError) push(state.errors, error.class, MAX_TOOLS);
  if (result.otherTests && result.tests !== undefined) push(state.errors, result.tests, MAX_TOOLS);
  rememberDone(state, call, result);
  const edit = editHash(call);
  if (edit !== null && mayBeNewEdit(question)) push(state.written, edit, MAX_WRITTEN);
}

const targetHash = ({ event, call }: FinishedCall): number =>
  hash32(event.after ? `${event.after.target} ${event.after.digest}` : (call.target ?? call.key));

/** Stands among the targets for a search with this tool that found nothing. */
const vainHash = ({ tool }: CallPrint): number => hash32(`in vain ${tool}`);

/** A write that was compared with earlier ones and is none of them. */
const mayBeNewEdit = (question: ProgressQuestion): boolean =>
  question.call.verb === 'write' &&
  !question.result.error &&
  !question.call.region?.unchanged &&
  !question.showsContent &&
  !question.failedBefore &&
  !question.fewerFailures &&
  !question.sameEdit;

/** Whether the same lines were already written to the same target, anywhere in it. */
function isSameEdit({ written }: ReaderState, call: CallPrint): boolean {
  const hash = editHash(call);
  return hash !== null && written.includes(hash);
}

const editHash = ({ target, region }: CallPrint): number | null =>
  target === null || region?.after === undefined || (region.added?.length ?? 0) < TELLING_LINES
    ? null
    : hash32(`${target} ${region.after}`);

/**
 * Whether a failed run got further than any since the tool last succeeded. A run that did less than
 * half of that is another task.
 */
function isMoreDone({ done }: ReaderState, call: CallPrint, result: ResultPrint): boolean {
  const most = recall(done, call.tool);
  return (
    result.error !== null && result.done !== undefined && most !== undefined && result.done > most
  );
}

function rememberDone({ done }: ReaderState, call: CallPrint, result: ResultPrint): void {
  const most = recall(done, call.tool);
  if (!result.error) {
    if (most !== undefined) done.pop();
    return;
  }
  if (result.done === undefined) return;
  if (most === undefined || result.done < most / 2 || result.done > most)
    remember(done, call.tool, result.done, MAX_DONE);
}

function isShort({ error, result }: CallFinished): boolean {
  const text = typeof error === 'string' ? error : result;
  return typeof text !== 'string' || text.length < SHORT_ERROR;
}
