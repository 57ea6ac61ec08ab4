import { detectorOf, LEFT_OUT } from './ablation.ts';
import { atLevel, isAlarm } from './alarms.ts';
import type { Estimate } from './bootstrap.ts';
import { type FoundAlarm, foundAlarms, type Miss, missesOf } from './findings.ts';
import { type LeaveOneOut, leaveOneOut } from './leave-one-out.ts';
import {
  type Compared,
  compare,
  type Measured,
  measure,
  type Tallies,
  tallies,
} from './measure.ts';
import { firstCatch } from './metrics/spans.ts';
import { partsOf } from './parts.ts';
import type { RuleCounts } from './replay.ts';
import { type Firings, LEVELS, type Level, type Run, type Truth } from './run.ts';
import type { Tuning } from './tuning.ts';
import { type Voice, voicesOf } from './voices.ts';

/** Everything that was measured: what the JSON file holds, and what tables and page are made of. */
export interface Report {
  version: 1;
  resamples: number;
  /**
   * The main figures: ours with options that were chosen on other sources. Null when nothing was
   * tuned.
   */
  tuning: Tuning | null;
  runs: { id: string; source: string; steps: number; labels: Truth['kind']; loops: number }[];
  /** Ours first, then the best by F1. */
  systems: SystemReport[];
  /** Each variant of our detectors scored alone, to decide which may speak alone. */
  voices: Voice[];
  /** Each of our detectors as if only it had spoken. */
  detectors: { name: string; levels: Levels }[];
  /**
   * Ours with one detector left out, on how many runs it had spoken, and how much ours is ahead of
   * that.
   */
  ablation: { without: string; runs: number; levels: Levels; ahead: Compared }[];
  /** How many of our loops are caught, by the kind that the label gives. */
  kinds: { kind: string; loops: number; caught: Record<Level, number> }[];
  leaveOneOut: LeaveOneOut | null;
  alarms: FoundAlarm[];
  misses: Miss[];
  /** How often each of our rules decided; missing in reports of others, and in older ones. */
  rules?: RuleCounts;
}

export type Levels = Record<Level, Measured>;

export interface SystemReport {
  name: string;
  levels: Levels;
  /** The same for the runs of each source. */
  sources: { source: string; levels: Levels }[];
  /** The same for each round of labels and each half of the sources. */
  parts: { part: string; levels: Levels }[];
  /** First firing minus `stuck_at`, of each loop that was caught by a warning. */
  delays: number[];
  /**
   * How much ours is ahead of it on the same runs, pair by pair, warnings included; null for ours.
   */
  ahead: Compared | null;
}

/** The firings of each system, by its name. */
export interface Played {
  /** Our own name among the systems; missing when only others were asked for. */
  ours?: string;
  systems: ReadonlyMap<string, Firings>;
  /** Ours with one detector left out, by the detector's name. */
  ablation: ReadonlyMap<string, Firings>;
}

/** Measures what was replayed. */
export function buildReport(
  runs: readonly Run[],
  { ours, systems, ablation }: Played,
  resamples: number,
  tuning: Tuning | null = null,
): Report {
  const parts = partsOf(runs);
  const sources = [...new Set(runs.map(({ source }) => source))].sort();
  const levelsOf = (firings: Firings, chosen?: (run: Run) => boolean): Levels => ({
    warn: measure(tallies(runs, firings, 'warn', chosen), resamples),
    act: measure(tallies(runs, firings, 'act', chosen), resamples),
  });
  const warned = new Map<string, Tallies>(
    [...systems].map(([name, firings]) => [name, tallies(runs, firings, 'warn')]),
  );
  const our =
    ours === undefined
      ? undefined
      : { name: ours, firings: systems.get(ours)!, warned: warned.get(ours)! };
  const spanned = runs.filter(({ truth }) => truth.kind === 'spans');

  return {
    version: 1,
    resamples,
    tuning,
    runs: runs.map(({ id, source, steps, truth }) => ({
      id,
      source,
      steps,
      labels: truth.kind,
      loops: truth.kind === 'spans' ? truth.loops.length : 0,
    })),
    systems: [...systems]
      .map(([name, firings]) => ({
        name,
        levels: levelsOf(firings),
        sources: sources.map((source) => ({
          source,
          levels: levelsOf(firings, (run) => run.source === source),
        })),
        parts: parts.map(({ name, has }) => ({ part: name, levels: levelsOf(firings, has) })),
        delays: warned.get(name)!.spans.flatMap(({ delays }) => delays),
        ahead: our && name !== our.name ? compare(our.warned, warned.get(name)!, resamples) : null,
      }))
      .sort((a, b) => Number(b.name === ours) - Number(a.name === ours) || rank(b) - rank(a)),
    voices: our ? voicesOf(runs, our.firings) : [],
    detectors: our
      ? LEFT_OUT.map((name) => ({
          name,
          levels: levelsOf(
            our.firings.map((each) => each.filter((firing) => detectorOf(firing) === name)),
          ),
        }))
      : [],
    ablation: our
      ? [...ablation].map(([name, firings]) => ({
          without: name,
          runs: firings.filter((each, i) => each !== our.firings[i]).length,
          levels: levelsOf(firings),
          ahead: compare(our.warned, tallies(runs, firings, 'warn'), resamples),
        }))
      : [],
    kinds: our ? kindsOf(runs, our.firings) : [],
    leaveOneOut: our
      ? leaveOneOut(
          { name: our.name, tallies: our.warned.spans },
          [...warned]
            .filter(([name]) => name !== our.name)
            .map(([name, { spans }]) => ({ name, tallies: spans })),
          spanned.map(({ source }) => source),
          resamples,
        )
      : null,
    alarms: [...systems].flatMap(([name, firings]) => foundAlarms(name, runs, firings)),
    misses: [...systems].flatMap(([name, firings]) => missesOf(name, runs, firings)),
  };
}

const rank = ({ levels: { warn } }: SystemReport): number =>
  (warn.spans ?? warn.verdicts)?.f1.value ?? 0;

function kindsOf(runs: readonly Run[], firings: Firings): Report['kinds'] {
  const kinds = new Map<string, Report['kinds'][number]>();
  for (const [i, { truth }] of runs.entries()) {
    for (const loop of truth.kind === 'spans' ? truth.loops : []) {
      const { kind } = loop;
      if (!kinds.has(kind)) kinds.set(kind, { kind, loops: 0, caught: { warn: 0, act: 0 } });
      const row = kinds.get(kind)!;
      row.loops++;
      for (const level of LEVELS)
        if (firstCatch(loop, atLevel(firings[i]!, level).filter(isAlarm)) !== undefined)
          row.caught[level]++;
    }
  }
  return [...kinds.values()].sort((a, b) => b.loops - a.loops || a.kind.localeCompare(b.kind));
}

/** The baseline with the highest F1 on one kind of labels, warnings included. */
export function bestBaseline(
  { systems }: Report,
  labels: 'spans' | 'verdicts',
): { name: string; f1: Estimate; ahead: Estimate } | null {
  let best: { name: string; f1: Estimate; ahead: Estimate } | null = null;
  for (const { name, levels, ahead } of systems) {
    const f1 = levels.warn[labels]?.f1;
    const by = ahead?.[labels];
    if (f1 && by && (f1.value ?? 0) > (best?.f1.value ?? -1)) best = { name, f1, ahead: by };
  }
  return best;
}
