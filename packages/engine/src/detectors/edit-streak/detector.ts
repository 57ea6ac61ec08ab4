import * as option from '../../option-kinds.ts';
import type { CallPrint } from '../../prints.ts';
import { push, type Recent, recall, remember } from '../../recent.ts';
import { defineDetector } from '../detector.ts';
import {
  type EditPlace,
  editPlaceOf,
  isConsecutive,
  isFile,
  isRun,
  joined,
  ordinal,
  placesOverlap,
  showsContent,
  targetsOf,
} from '../edits.ts';

interface Entry {
  count: number;
  since: number;
  /**
   * For files: the places written since the last look, how many times each, and the step of the
   * last write there.
   */
  places: { place: EditPlace; count: number; step: number }[];
}

type State = { streaks: Recent<Entry> };

const MAX_TARGETS = 20;
const MAX_PLACES = 6;
const SEPARATOR = '\n';

export const editStreak = defineDetector({
  name: 'edit-streak',
  status: 'stable',
  watches: ['call-finished'],
  alsoNeutral: ['batch', 'reread', 'poll', 'transient-error', 'asked'],
  rungs: { first: 'note', highest: 'note' },
  everyTime: true,
  advises: ['file', 'widget'],
  options: {
    threshold: option.integer(
      3,
      { from: 2 },
      'Patches of one target without a fresh look that make a loop.',
    ),
  },
  start: (): State => ({ streaks: [] }),

  step(state, seen, { threshold }) {
    const { call, result } = seen;
    // A failed write neither counts nor resets; nor does a failed look. A check or a run is a look
    // even if it fails.
    if (!call || !result) return null;
    if (isRun(call)) lookAtAllFiles(state);
    if (result.error) return null;
    if (!call.patch) {
      reset(state, call);
      return null;
    }
    const { target, space } = call;
    if (target === null) return null;
    const name = nameOf(space, target);
    if (isFile(target) && showsContent(result)) {
      state.streaks = state.streaks.filter(([each]) => each !== name);
      return null;
    }
    const entry = recall(state.streaks, name) ?? { count: 0, since: seen.step, places: [] };
    entry.count = isFile(target) ? countAt(entry, call, seen.step) : entry.count + 1;
    if (entry.count === 1) entry.since = seen.step;
    remember(state.streaks, name, entry, MAX_TARGETS);
    if (entry.count < threshold) return null;
    return {
      variant: isFile(target) ? 'file' : 'widget',
      count: entry.count,
      since: entry.since,
      keys: [`edits:${name}`],
      target,
      insists: !isFile(target),
      strength: 0.5,
      facts: { ...call.editWords, ordinal: ordinal(entry.count) },
    };
  },

  // Programs that patch widgets read the count from the first patch on.
  figures(state, { call, result }) {
    if (!call?.patch || call.target === null || isFile(call.target) || !result || result.error)
      return null;
    const entry = recall(state.streaks, nameOf(call.space, call.target));
    return entry ? { consecutivePatchCount: entry.count } : null;
  },

  explain: ({ facts }) =>
    `${facts.ordinal} consecutive ${facts.act} ${facts.object} without ${facts.look}`,

  moves: ['look at the present state before changing it again', 'report the present state'],
});

/** How many times the place of this write was written, this time included. */
function countAt({ places }: Entry, { region }: CallPrint, step: number): number {
  const place = editPlaceOf(region);
  const spot = places.find((each) => placesOverlap(each.place, place));
  if (!spot) {
    push(places, { place, count: 1, step }, MAX_PLACES);
    return 1;
  }
  spot.place = joined(spot.place, place);
  spot.count = isConsecutive(step, spot.step) ? spot.count + 1 : 1;
  spot.step = step;
  return spot.count;
}

const nameOf = (space: string | null, target: string): string =>
  `${space ?? ''}${SEPARATOR}${target}`;

function reset(state: State, call: CallPrint): void {
  if (call.look && call.wide) lookAtAllFiles(state);
  if (call.clears === 'space') {
    state.streaks = state.streaks.filter(
      ([name]) => !name.startsWith(`${call.space ?? ''}${SEPARATOR}`),
    );
  } else if (call.look || call.clears === 'target') {
    const touched = new Set(targetsOf(call).map((target) => nameOf(call.space, target)));
    if (touched.size > 0) state.streaks = state.streaks.filter(([name]) => !touched.has(name));
  }
}

/** After a test run, a build or `git diff`, the files count as looked at, whatever it reported. */
function lookAtAllFiles(state: State): void {
  state.streaks = state.streaks.filter(
    ([name]) => !isFile(name.slice(name.indexOf(SEPARATOR) + 1)),
  );
}
