import { hash64 } from '../hash.ts';
import type { HeaderState } from '../outcomes/learned-header.ts';
import type { CallPrint, ResultPrint } from '../prints.ts';
import { push, type Recent, recall, remember } from '../recent.ts';
import type { TextScan } from './scan.ts';

/**
 * If less than this share of its content is new, the result of an equal call is the same result.
 */
export const SAME_BELOW = 0.05;
/** In a shorter result every difference counts. */
const LONG = 200;
/** A value is noise if it changed in this many results of a call while nothing else did. */
const LEARNED_AFTER = 4;
/** More values that change together are content, not a clock. */
const MAX_NOISY_VALUES = 2;
const MAX_CALLS = 48;
const MAX_LEARNED = 32;

/** What is kept of each recent call, to tell whether its next result is the same. */
export interface LastResult {
  digest: string;
  shape: string;
  values: number[] | null;
  quantities: number;
  /** Bit mask of the values that have changed. */
  noisy: number;
  /** How many results in a row are the same, and how many are the same except for noisy values. */
  run: number;
  alike: number;
  /** How many very long waits of the session came before it, if any. */
  rests?: number;
  failed?: true;
}

export interface ResultState {
  calls: Recent<LastResult>;
  /** Tool and shape of results whose changing values were learned to be noise. */
  learned: string[];
  /** Header lines at the beginning of each tool's results. */
  headers: HeaderState;
}

export const startResults = (): ResultState => ({ calls: [], learned: [], headers: [] });

/**
 * Sets the digest and the run of `print` by comparing it with the call's last result, and remembers
 * it.
 */
export function compareResults(
  state: ResultState,
  call: CallPrint,
  print: ResultPrint,
  scan: TextScan,
  rests: number,
  seed: number,
): void {
  const { shape, quantities } = scan;
  const now: LastResult = {
    digest: print.digest,
    shape,
    values: scan.worded ? scan.values : null,
    quantities,
    noisy: 0,
    run: 1,
    alike: 1,
  };
  if (rests > 0) now.rests = rests;
  if (print.error) now.failed = true;
  const before = recall(state.calls, call.key);
  print.moved = before !== undefined && before.quantities !== quantities;
  if (before) {
    if (before.digest === print.digest || isBarelyNew(before, print, quantities)) {
      if (before.digest !== print.digest) print.differs = true;
      now.run = before.run + 1;
      now.alike = before.alike + 1;
      now.noisy = before.noisy;
      now.digest = before.digest;
    } else if (differsByNoise(before, now)) {
      now.alike = before.alike + 1;
      if (isLearned(state, hash64(`${call.tool} ${shape}`, seed), now.alike)) {
        now.run = now.alike;
        now.digest = before.digest;
        print.novelty = 0;
        print.nearly = true;
      }
    }
  }
  print.sameInARow = now.run;
  print.digest = now.digest;
  remember(state.calls, call.key, now, MAX_CALLS);
}

/**
 * Almost nothing in it is new, and no quantity has moved. An empty result after a non-empty one
 * counts as new.
 */
const isBarelyNew = (before: LastResult, print: ResultPrint, quantities: number): boolean =>
  print.known &&
  print.size >= LONG &&
  before.digest !== 'none' &&
  print.novelty < SAME_BELOW &&
  before.quantities === quantities;

/** Only one or two values without a direction have changed since. Records which ones. */
function differsByNoise(before: LastResult, now: LastResult): boolean {
  if (before.shape !== now.shape || !now.values || before.values?.length !== now.values.length)
    return false;
  now.noisy = before.noisy;
  for (let i = 0; i < now.values.length; i++)
    if (now.values[i] !== before.values[i]) now.noisy |= 1 << i;
  return bits(now.noisy) <= MAX_NOISY_VALUES;
}

function isLearned(state: ResultState, name: string, alike: number): boolean {
  if (state.learned.includes(name)) return true;
  if (alike < LEARNED_AFTER) return false;
  push(state.learned, name, MAX_LEARNED);
  return true;
}

function bits(mask: number): number {
  let count = 0;
  for (let rest = mask; rest !== 0; rest &= rest - 1) count++;
  return count;
}
