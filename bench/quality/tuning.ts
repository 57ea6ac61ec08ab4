import { hash32 } from '../../src/hash.ts';
import { type Measured, measure, type Tallies } from './measure.ts';
import { scoreQuiet } from './metrics/quiet.ts';
import { scoreSpans } from './metrics/spans.ts';
import { total } from './metrics/tally.ts';
import { scoreVerdicts } from './metrics/verdicts.ts';
import type { Run, Truth } from './run.ts';
import { isShipped, type Setting } from './tuning-grid.ts';

/** A setting, and what every run is worth with it. */
export interface Candidate {
  setting: Setting;
  tallies: Tallies;
}

/** What was chosen for one group of runs without looking at it. */
export interface Choice {
  /** The group left out. */
  group: string;
  chosen: Setting;
  /** The shipped setting was chosen; it is as good as the chosen one on the other groups. */
  shipped: boolean;
  asGood: boolean;
}

type Part = 'spans' | 'verdicts';

/** Options chosen on other runs than those that they are scored on. */
export interface Tuning {
  /** How many settings there were to choose from. */
  settings: number;
  /** What a group is: runs of one source or, where all labels of that kind are of one source, a fifth of them by a hash of the id. */
  by: Record<Part, 'source' | 'fifth'>;
  /** For marked loops and daily work, and for whole runs. */
  choices: Record<Part, Choice[]>;
  /** The scores of the groups left out, added up: the main figures. */
  heldOut: Measured;
}

/** A setting with more alarms than this per 1,000 steps is not chosen while there is a quieter one. */
const MAX_FALSE = 0.7;
const MAX_QUIET = 0.4;

/** Leaves out one group after the other, chooses the best setting on all the rest, and scores it on what was left out. */
export function tune(runs: readonly Run[], candidates: readonly Candidate[], resamples: number): Tuning {
  const by = { spans: groupedBy(runs, 'spans'), verdicts: groupedBy(runs, 'verdict') };
  const groups: Groups = {
    spans: groupsOf(runs, 'spans', by.spans),
    quiet: groupsOf(runs, 'unlabelled', by.spans),
    verdicts: groupsOf(runs, 'verdict', by.verdicts),
  };
  const heldOut: Tallies = { spans: [], verdicts: [], quiet: [] };
  const leaveOut = (part: Part, group: string): Choice => {
    const { chosen, tied } = choose(
      candidates.map((candidate) => ({
        candidate,
        ...standing(
          filtered(candidate.tallies, groups, (each) => each !== group),
          part,
        ),
      })),
    );
    const scored = filtered(chosen.tallies, groups, (each) => each === group);
    if (part === 'verdicts') heldOut.verdicts.push(...scored.verdicts);
    else {
      heldOut.spans.push(...scored.spans);
      heldOut.quiet.push(...scored.quiet);
    }
    return {
      group,
      chosen: chosen.setting,
      shipped: isShipped(chosen.setting),
      asGood: tied.some(({ setting }) => isShipped(setting)),
    };
  };
  const choices = {
    spans: distinct([...groups.spans, ...groups.quiet]).map((group) => leaveOut('spans', group)),
    verdicts: distinct(groups.verdicts).map((group) => leaveOut('verdicts', group)),
  };
  return { settings: candidates.length, by, choices, heldOut: measure(heldOut, resamples) };
}

const distinct = (names: readonly string[]): string[] => [...new Set(names)].sort();

/** The group of each run, kind by kind as tallies are. */
type Groups = Record<keyof Tallies, string[]>;

const ofKind = (runs: readonly Run[], kind: Truth['kind']): Run[] => runs.filter(({ truth }) => truth.kind === kind);

const groupedBy = (runs: readonly Run[], kind: Truth['kind']): 'source' | 'fifth' =>
  new Set(ofKind(runs, kind).map(({ source }) => source)).size > 1 ? 'source' : 'fifth';

const groupsOf = (runs: readonly Run[], kind: Truth['kind'], by: 'source' | 'fifth'): string[] =>
  ofKind(runs, kind).map(({ source, id }) => (by === 'source' ? source : `${(hash32(id) % 5) + 1} of 5`));

function filtered({ spans, verdicts, quiet }: Tallies, groups: Groups, wanted: (group: string) => boolean): Tallies {
  return {
    spans: spans.filter((_, i) => wanted(groups.spans[i]!)),
    verdicts: verdicts.filter((_, i) => wanted(groups.verdicts[i]!)),
    quiet: quiet.filter((_, i) => wanted(groups.quiet[i]!)),
  };
}

/** How good a setting looks on the runs that may be looked at. */
interface Standing {
  f1: number;
  /** For marked loops: false alarms, and all alarms on daily work. For whole runs: those wrongly called looping. */
  alarms: number;
  withinLimits: boolean;
}

function standing({ spans, verdicts, quiet }: Tallies, part: Part): Standing {
  const marked = spans.length === 0 ? null : total(spans);
  const daily = quiet.length === 0 ? null : total(quiet);
  const whole = verdicts.length === 0 ? null : total(verdicts);
  const marks = marked && scoreSpans(marked);
  const withinLimits = (marks?.falsePerThousand ?? 0) <= MAX_FALSE && ((daily && scoreQuiet(daily).alarmsPerThousand) ?? 0) <= MAX_QUIET;
  return part === 'spans'
    ? { f1: marks?.f1 ?? 0, alarms: (marked?.false ?? 0) + (daily?.alarms ?? 0), withinLimits }
    : { f1: (whole && scoreVerdicts(whole).f1) ?? 0, alarms: whole ? whole.called - whole.calledRightly : 0, withinLimits };
}

/**
 * The highest F1 within the limits, then the fewest alarms. Of settings that are equal in both the middle one is taken, be it the shipped
 * one or not.
 */
export function choose(standings: readonly ({ candidate: Candidate } & Standing)[]): { chosen: Candidate; tied: Candidate[] } {
  const quiet = standings.filter(({ withinLimits }) => withinLimits);
  const pool = quiet.length > 0 ? quiet : standings;
  const best = pool.reduce((a, b) => (b.f1 > a.f1 || (b.f1 === a.f1 && b.alarms < a.alarms) ? b : a));
  const tied = pool.filter(({ f1, alarms }) => f1 === best.f1 && alarms === best.alarms).map(({ candidate }) => candidate);
  return { chosen: tied[tied.length >> 1]!, tied };
}
