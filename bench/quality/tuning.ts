import { hash32 } from '@unrut/engine/hash';
import { draw, type Estimate } from './bootstrap.ts';
import { type Measured, measure, type Tallies } from './measure.ts';
import { scoreQuiet } from './metrics/quiet.ts';
import { type SpanTally, scoreSpans } from './metrics/spans.ts';
import { quantile, total } from './metrics/tally.ts';
import { scoreVerdicts } from './metrics/verdicts.ts';
import { isRead, type Part, partsOf } from './parts.ts';
import type { Run, Truth } from './run.ts';
import { isShipped, type Setting } from './tuning-grid.ts';

/** A setting, and what every run is worth with it. */
export interface Candidate {
  setting: Setting;
  tallies: Tallies;
}

/** The setting chosen for one group of runs without looking at it. */
export interface Choice {
  /** The group left out. */
  group: string;
  chosen: Setting;
  /** The shipped setting was chosen; it is as good as the chosen one on the other groups. */
  shipped: boolean;
  asGood: boolean;
}

type Group = 'spans' | 'verdicts';

/** Options chosen on other runs than those that they are scored on. */
export interface Tuning {
  /** How many settings there were to choose from. */
  settings: number;
  /**
   * The kind of group: runs of one source or, if all labels of that kind are from one source, a
   * fifth of them by a hash of the id.
   */
  by: Record<Group, 'source' | 'fifth'>;
  /** For marked loops and daily work, and for whole runs. */
  choices: Record<Group, Choice[]>;
  /** The scores of the groups left out, added up: the main figures. */
  heldOut: Measured;
  /** The same for marked loops of each round and each half of the sources. */
  parts: { part: string; heldOut: Measured }[];
  /**
   * F1 on sources whose errors were read minus F1 on the others, with the 90 % interval of its
   * resamples.
   */
  halves: Estimate;
}

/**
 * A setting with more alarms than this per 1,000 steps is not chosen while there is a quieter one.
 */
const MAX_FALSE = 1;
const MAX_QUIET = 0.4;

/**
 * Leaves out one group after another, chooses the best setting on the rest, and scores it on the
 * group.
 */
export function tune(
  runs: readonly Run[],
  candidates: readonly Candidate[],
  resamples: number,
): Tuning {
  const by = { spans: groupedBy(runs, 'spans'), verdicts: groupedBy(runs, 'verdict') };
  const groups: Groups = {
    spans: groupsOf(runs, 'spans', by.spans),
    quiet: groupsOf(runs, 'unlabelled', by.spans),
    verdicts: groupsOf(runs, 'verdict', by.verdicts),
  };
  const leaveOut = (part: Group, group: string): Choice & { tallies: Tallies } => {
    const { chosen, tied } = choose(
      candidates.map((candidate) => ({
        candidate,
        ...standing(
          filtered(candidate.tallies, groups, (each) => each !== group),
          part,
        ),
      })),
    );
    const [shipped, asGood] = [
      isShipped(chosen.setting),
      tied.some(({ setting }) => isShipped(setting)),
    ];
    return { group, chosen: chosen.setting, shipped, asGood, tallies: chosen.tallies };
  };
  const chosen = {
    spans: distinct([...groups.spans, ...groups.quiet]).map((group) => leaveOut('spans', group)),
    verdicts: distinct(groups.verdicts).map((group) => leaveOut('verdicts', group)),
  };
  // For each run, the setting chosen without its group, in the order of the runs.
  const heldOut: Tallies = {
    spans: groups.spans.map(
      (name, i) => chosen.spans.find(({ group }) => group === name)!.tallies.spans[i]!,
    ),
    quiet: groups.quiet.map(
      (name, i) => chosen.spans.find(({ group }) => group === name)!.tallies.quiet[i]!,
    ),
    verdicts: groups.verdicts.map(
      (name, i) => chosen.verdicts.find(({ group }) => group === name)!.tallies.verdicts[i]!,
    ),
  };
  const spanned = ofKind(runs, 'spans');
  const only = (has: Part['has']): SpanTally[] => heldOut.spans.filter((_, i) => has(spanned[i]!));
  return {
    settings: candidates.length,
    by,
    choices: {
      spans: chosen.spans.map(withoutTallies),
      verdicts: chosen.verdicts.map(withoutTallies),
    },
    heldOut: measure(heldOut, resamples),
    parts: partsOf(spanned).map(({ name, has }) => ({
      part: name,
      heldOut: measure({ spans: only(has), verdicts: [], quiet: [] }, resamples),
    })),
    halves: apart(
      only(({ source }) => isRead(source)),
      only(({ source }) => !isRead(source)),
      resamples,
    ),
  };
}

const withoutTallies = ({ tallies: _, ...choice }: Choice & { tallies: Tallies }): Choice => choice;

/**
 * F1 of the first minus that of the second, with the interval in which 90 % of the resamples of
 * both lie.
 */
function apart(
  first: readonly SpanTally[],
  second: readonly SpanTally[],
  resamples: number,
): Estimate {
  const f1 = (some: readonly SpanTally[]): number =>
    some.length === 0 ? 0 : (scoreSpans(total(some)).f1 ?? 0);
  const [one, other] = [first, second].map((tallies) =>
    draw(tallies.length, resamples).map((chosen) => f1(chosen.map((i) => tallies[i]!))),
  );
  const differences = one!.flatMap((value, i) =>
    other![i] === undefined ? [] : [value - other![i]],
  );
  return {
    value: f1(first) - f1(second),
    low: quantile(differences, 0.05),
    high: quantile(differences, 0.95),
  };
}

const distinct = (names: readonly string[]): string[] => [...new Set(names)].sort();

/** The group of each run, kind by kind as tallies are. */
type Groups = Record<keyof Tallies, string[]>;

const ofKind = (runs: readonly Run[], kind: Truth['kind']): Run[] =>
  runs.filter(({ truth }) => truth.kind === kind);

const groupedBy = (runs: readonly Run[], kind: Truth['kind']): 'source' | 'fifth' =>
  new Set(ofKind(runs, kind).map(({ source }) => source)).size > 1 ? 'source' : 'fifth';

const groupsOf = (runs: readonly Run[], kind: Truth['kind'], by: 'source' | 'fifth'): string[] =>
  ofKind(runs, kind).map(({ source, id }) =>
    by === 'source' ? source : `${(hash32(id) % 5) + 1} of 5`,
  );

function filtered(
  { spans, verdicts, quiet }: Tallies,
  groups: Groups,
  wanted: (group: string) => boolean,
): Tallies {
  return {
    spans: spans.filter((_, i) => wanted(groups.spans[i]!)),
    verdicts: verdicts.filter((_, i) => wanted(groups.verdicts[i]!)),
    quiet: quiet.filter((_, i) => wanted(groups.quiet[i]!)),
  };
}

/** How good a setting looks on the runs that may be looked at. */
interface Standing {
  f1: number;
  /**
   * For marked loops: false alarms, and all alarms on daily work. For whole runs: those wrongly
   * called looping.
   */
  alarms: number;
  withinLimits: boolean;
}

function standing({ spans, verdicts, quiet }: Tallies, part: Group): Standing {
  const marked = spans.length === 0 ? null : total(spans);
  const daily = quiet.length === 0 ? null : total(quiet);
  const whole = verdicts.length === 0 ? null : total(verdicts);
  const marks = marked && scoreSpans(marked);
  const withinLimits =
    (marks?.falsePerThousand ?? 0) <= MAX_FALSE &&
    ((daily && scoreQuiet(daily).alarmsPerThousand) ?? 0) <= MAX_QUIET;
  return part === 'spans'
    ? { f1: marks?.f1 ?? 0, alarms: (marked?.false ?? 0) + (daily?.alarms ?? 0), withinLimits }
    : {
        f1: (whole && scoreVerdicts(whole).f1) ?? 0,
        alarms: whole ? whole.called - whole.calledRightly : 0,
        withinLimits,
      };
}

/**
 * The highest F1 within the limits, then the fewest alarms. Of settings equal in both, the middle
 * one, whether or not it is the shipped one.
 */
export function choose(standings: readonly ({ candidate: Candidate } & Standing)[]): {
  chosen: Candidate;
  tied: Candidate[];
} {
  const quiet = standings.filter(({ withinLimits }) => withinLimits);
  const pool = quiet.length > 0 ? quiet : standings;
  const best = pool.reduce((a, b) =>
    b.f1 > a.f1 || (b.f1 === a.f1 && b.alarms < a.alarms) ? b : a,
  );
  const tied = pool
    .filter(({ f1, alarms }) => f1 === best.f1 && alarms === best.alarms)
    .map(({ candidate }) => candidate);
  return { chosen: tied[tied.length >> 1]!, tied };
}
