import type { Fingerprint } from '../../fingerprint/fingerprint.ts';
import { isOwnList, isUndo, maySame } from '../../fingerprint/may-change.ts';
import { hash32 } from '../../hash.ts';
import * as option from '../../option-kinds.ts';
import { push } from '../../recent.ts';
import { defineDetector } from '../detector.ts';

/** What happened between two compactions. */
interface Lap {
  /** Its first step, and when it began. */
  since: number;
  at: number;
  looks: number;
  relooks: number;
  /** Something of it stays: a check that got better, a commit, a write to an unnamed place. */
  lasting: boolean;
  /** The files that it wrote, in words. What is put back or removed again is none of them. */
  written: string[];
}

interface State {
  /** The current lap; null before the first compaction. */
  lap: Lap | null;
  /** Laps in a row that looked at known things and left nothing. */
  laps: number;
  /** Where the first of them began, and how many looks of theirs were repeated. */
  since: number;
  at: number;
  relooks: number;
  /** Hashes of files that were written whole: the next such write leaves nothing of the last one. */
  whole: number[];
  /** Whether the last check of each kind failed, newest last. */
  failed: number[];
}

const MAX_WHOLE = 4;
const MAX_WRITTEN = 8;
const MAX_FAILED = 4;
const KEY = 'amnesia';

export const amnesia = defineDetector({
  name: 'amnesia',
  status: 'stable',
  watches: ['call-finished', 'context-compacted'],
  alsoNeutral: ['reread', 'asked'],
  rungs: { first: 'note', highest: 'escalate' },
  options: {
    threshold: option.integer(
      3,
      { from: 2 },
      'Laps between compactions, in a row, that looked at known things and left nothing.',
    ),
    share: option.share(0.6, 'Share of the looks in a lap that had been made in an earlier lap.'),
    leastLooks: option.integer(3, { from: 1 }, 'Repeated looks from which a lap counts.'),
  },
  start: (): State => ({
    lap: null,
    laps: 0,
    since: 0,
    at: 0,
    relooks: 0,
    whole: [],
    failed: [],
  }),

  step(state, seen, { threshold, share, leastLooks }) {
    if (seen.type === 'context-compacted') {
      endLap(state, seen, share, leastLooks);
      return null;
    }
    const isLasting = staysAfter(state, seen);
    const { lap } = state;
    if (!lap) return null;
    if (!undoes(lap, seen) && isLasting) noteWrite(lap, seen);
    if (seen.call?.verb !== 'read' || seen.result?.error !== null) return null;
    lap.looks++;
    if (!seen.relook) return null;
    lap.relooks++;
    if (state.laps < threshold || leaves(lap)) return null;
    return {
      variant: 'laps',
      count: state.laps,
      since: state.since,
      keys: [KEY],
      equal: true,
      strength: 0.9,
      // One rung for each lap.
      ...(lap.relooks > 1 ? { cap: 'note' as const } : {}),
      facts: {
        laps: state.laps,
        minutes: Math.round((seen.at - state.at) / 60_000),
        relooks: state.relooks + lap.relooks,
      },
    };
  },

  explain: ({ facts: { laps, minutes, relooks } }) =>
    `the context was compacted ${laps} times${Number(minutes) >= 2 ? ` in ${inWords(Number(minutes))}` : ''} without a lasting change in between, and ${relooks} looks were repeated after a compaction with the same result`,

  moves: [
    'write down what you know and what comes next in a file, then do that next step',
    'work on one small part of the task, and read only what it needs',
    'if the task does not fit the context, report that and finish',
  ],
});

const inWords = (minutes: number): string =>
  minutes < 120 ? `${minutes} minutes` : `${Math.round(minutes / 60)} hours`;

/** A compaction ends a lap. One without looks and writes says nothing about the laps around it. */
function endLap(state: State, seen: Fingerprint, share: number, leastLooks: number): void {
  const { lap } = state;
  state.lap = { since: seen.step, at: seen.at, looks: 0, relooks: 0, lasting: false, written: [] };
  if (!lap || (lap.looks === 0 && !leaves(lap))) return;
  const isForgetful = !leaves(lap) && lap.relooks >= leastLooks && lap.relooks >= share * lap.looks;
  if (!isForgetful) {
    state.laps = 0;
    return;
  }
  if (state.laps === 0) Object.assign(state, { since: lap.since, at: lap.at, relooks: 0 });
  state.laps++;
  state.relooks += lap.relooks;
}

const leaves = ({ lasting, written }: Lap): boolean => lasting || written.length > 0;

/** Whether a call puts back, or removes, what this lap wrote, so that nothing of it stays. */
function undoes(lap: Lap, { call, result }: Fingerprint): boolean {
  if (!call || result?.error !== null || !isUndo(call)) return false;
  const others = lap.written.filter((each) => !maySame(each, call.targetLabel));
  const isUndone = others.length < lap.written.length;
  lap.written = others;
  return isUndone;
}

function noteWrite(lap: Lap, { call }: Fingerprint): void {
  if (!call?.target?.startsWith('file:')) lap.lasting = true;
  else if (!lap.written.some((each) => maySame(each, call.targetLabel)))
    push(lap.written, call.targetLabel, MAX_WRITTEN);
}

/** Whether a call leaves something: a write that was not made before, or a check that got better. */
function staysAfter(state: State, { call, result, progress }: Fingerprint): boolean {
  if (!call || !result) return false;
  if (call.verb === 'verify') return getsBetter(state, call.key, result.error !== null, progress);
  if (result.error !== null || progress === null) return progress === 'falling';
  if (call.effect === 'none' || isOwnList(call)) return false;
  const { region, target } = call;
  const isWhole =
    call.verb === 'write' && target !== null && region?.after !== undefined && !region.before;
  if (!isWhole) return true;
  const hash = hash32(target);
  const isReplaced = state.whole.includes(hash);
  if (!isReplaced) push(state.whole, hash, MAX_WHOLE);
  return !isReplaced;
}

function getsBetter(
  state: State,
  key: string,
  failed: boolean,
  progress: Fingerprint['progress'],
): boolean {
  const hash = hash32(key);
  const wasFailing = state.failed.includes(hash);
  state.failed = state.failed.filter((each) => each !== hash);
  if (failed) push(state.failed, hash, MAX_FAILED);
  return progress === 'falling' || (wasFailing && !failed);
}
