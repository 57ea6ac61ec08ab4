import type { ScannedLoop, Trajectory } from '../scan-report.ts';
import { MAX } from './bounds.ts';

/** A loop with its position in its run, counted from 1. */
export interface PlacedLoop {
  place: number;
  loop: ScannedLoop;
}

/** A run with its position in the report, counted from 1, and its displayed loops in order. */
export interface RankedRun {
  place: number;
  run: Trajectory;
  loops: PlacedLoop[];
}

export interface RankingRow {
  /** Worst first. */
  inFull: RankedRun[];
  /** Further runs with loops, beyond the limit. */
  further: RankedRun[];
  withoutLoops: RankedRun[];
}

/** More than an edit or back-off note. */
export const isLooping = (run: Trajectory): boolean => run.loops.some((loop) => !loop.advice);

/** Chooses the displayed runs: worst first, up to the limit. */
export function ranking(runs: readonly Trajectory[]): RankingRow {
  const ranked: RankingRow = { inFull: [], further: [], withoutLoops: [] };
  let room: number = MAX.loops;
  const placed = runs.map((run, i) => ({ place: i + 1, run, loops: costliest(run.loops) }));
  for (const entry of placed.sort(
    (one, other) => compareRuns(one.run, other.run) || one.place - other.place,
  )) {
    if (entry.loops.length === 0) ranked.withoutLoops.push(entry);
    else if (ranked.inFull.length < MAX.runs && entry.loops.length <= room) {
      ranked.inFull.push(entry);
      room -= entry.loops.length;
    } else {
      ranked.further.push(entry);
      room = 0;
    }
  }
  return ranked;
}

function compareRuns(one: Trajectory, other: Trajectory): number {
  return (
    Number(isLooping(other)) - Number(isLooping(one)) ||
    other.wastedSteps - one.wastedSteps ||
    (other.wastedTokens ?? 0) - (one.wastedTokens ?? 0) ||
    other.loops.length - one.loops.length
  );
}

function costliest(loops: readonly ScannedLoop[]): PlacedLoop[] {
  const placed = loops.map((loop, i) => ({ place: i + 1, loop }));
  if (placed.length <= MAX.loopsOfRun) return placed;
  return placed
    .sort(
      (one, other) =>
        Number(one.loop.advice) - Number(other.loop.advice) ||
        other.loop.wastedSteps - one.loop.wastedSteps,
    )
    .slice(0, MAX.loopsOfRun)
    .sort((one, other) => one.place - other.place);
}
