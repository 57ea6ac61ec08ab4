import type { Fingerprint } from '../../fingerprint/fingerprint.ts';
import * as option from '../../option-kinds.ts';
import type { CallPrint, ResultPrint } from '../../prints.ts';
import { push, type Recent, recall, remember } from '../../recent.ts';
import type { Evidence } from '../../signal.ts';
import { defineDetector } from '../detector.ts';
import {
  type EditPlace,
  editPlaceOf,
  isConsecutive,
  isFile,
  isRun,
  joined,
  placesOverlap,
  showsContent,
} from '../edits.ts';

/** Writes to one place in a file. */
interface Spot {
  /** The file's name for people. */
  file: string;
  place: EditPlace;
  since: number;
  /** Writes since the last look, and the step of the last one. */
  unread: number;
  step: number;
  /** Whether it was written since the last check. */
  fresh: boolean;
  /** How many times the same check failed in the same way after a write here. */
  failing: number;
}

interface State {
  files: Recent<Spot[]>;
  /** The last failing check: its call and result. Empty if the last check passed. */
  check: string;
}

const MAX_FILES = 6;
const MAX_SPOTS = 6;

export const editRegion = defineDetector({
  name: 'edit-region',
  status: 'stable',
  watches: ['call-finished'],
  alsoNeutral: ['batch', 'reread', 'poll', 'transient-error', 'asked'],
  rungs: { first: 'note', highest: 'stop' },
  advises: ['unread'],
  options: {
    threshold: option.integer(
      3,
      { from: 2 },
      'Edits of the same place in a file that make a loop.',
    ),
  },
  start: (): State => ({ files: [], check: '' }),

  step(state, seen, { threshold }) {
    const { call, result } = seen;
    if (!call || !result) return null;
    // A program that fails is a check, whatever it is.
    if (call.verb === 'verify' || (result.error && isRun(call)))
      return check(state, seen, call, result, threshold);
    look(state, call, result);
    if (result.error || !call.patch || call.target === null || !isFile(call.target)) return null;
    const spot = write(state, call, result, seen.step);
    if (spot.unread < threshold) return null;
    return {
      variant: 'unread',
      count: spot.unread,
      since: spot.since,
      keys: [`region:${call.target}`],
      target: call.target,
      strength: 0.5,
      cap: 'note',
      facts: { file: call.targetLabel },
    };
  },

  explain({ count, variant, facts }) {
    return variant === 'unread'
      ? `the same place in ${facts.file} was edited ${count} times without reading it`
      : `${facts.file} was edited in the same place ${count} times, and \`${facts.check}\` failed with the same error after each`;
  },

  moves: ({ variant }) =>
    variant === 'unread'
      ? ['read the lines around this place', 'run a check that shows what the edits changed']
      : [
          'read the failing check itself and the lines around this place',
          'print the actual value before changing the code again',
          'revert to the last better state and look for the cause elsewhere',
        ],
});

/** Resets what a look or a run has shown. */
function look({ files }: State, call: CallPrint, { error }: ResultPrint): void {
  if (!isRun(call) && !(call.look && !error)) return;
  for (const [file, spots] of files)
    if (isRun(call) || call.wide || call.target === file) for (const spot of spots) spot.unread = 0;
}

/** Adds a write to its place in the file. */
function write(
  { files }: State,
  { target, targetLabel: file, region }: CallPrint,
  result: ResultPrint,
  step: number,
): Spot {
  const spots = recall(files, target!) ?? [];
  const place = editPlaceOf(region);
  let spot = spots.find((each) => placesOverlap(each.place, place));
  if (!spot) {
    spot = { file, place, since: step, unread: 0, step, fresh: false, failing: 0 };
    push(spots, spot, MAX_SPOTS);
  }
  spot.place = joined(spot.place, place);
  if (!isConsecutive(step, spot.step)) Object.assign(spot, { unread: 0, since: step });
  spot.unread = showsContent(result) ? 0 : spot.unread + 1;
  spot.step = step;
  spot.fresh = true;
  remember(files, target!, spots, MAX_FILES);
  return spot;
}

/** Compares a check with the last one. */
function check(
  state: State,
  { progress }: Fingerprint,
  { key, label }: CallPrint,
  { error, digest }: ResultPrint,
  threshold: number,
): Evidence | null {
  const failure = error ? `${key} ${digest}` : '';
  const isFirst = state.check === '';
  const isEqual = failure === state.check;
  state.check = failure;
  if (failure === '') return checked(state, false, false, threshold, key, label);
  const same = (isEqual || isFirst) && progress !== 'falling';
  return checked(state, same, !isEqual && !isFirst, threshold, key, label);
}

/**
 * Called when a check ran. The check counts as a look at every place; if it failed as before, it
 * counts against the places just written.
 */
function checked(
  state: State,
  same: boolean,
  moved: boolean,
  threshold: number,
  key: string,
  label: string,
): Evidence | null {
  let worst: { file: string; spot: Spot } | null = null;
  for (const [file, spots] of state.files) {
    for (const spot of spots) {
      spot.unread = 0;
      if (moved || !same) spot.failing = 0;
      if (spot.fresh && (same || moved)) spot.failing++;
      spot.fresh = false;
      if (same && spot.failing >= threshold && spot.failing > (worst?.spot.failing ?? 0))
        worst = { file, spot };
    }
  }
  if (!worst) return null;
  return {
    variant: 'same-failure',
    count: worst.spot.failing,
    since: worst.spot.since,
    keys: [`region:${worst.file}`, key],
    target: worst.file,
    strength: 0.7,
    facts: { file: worst.spot.file, check: label },
  };
}
