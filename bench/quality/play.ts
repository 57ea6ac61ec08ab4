import { LEFT_OUT, replayWithout } from './ablation.ts';
import { readEvents } from './corpus.ts';
import { replay, type System } from './replay.ts';
import type { Played } from './report.ts';
import type { Firing, Run } from './run.ts';

/**
 * Replays every run once for each system, and once more for each detector of ours that spoke on it,
 * without that detector.
 */
export function play(
  runs: readonly Run[],
  systems: readonly System[],
  ours: System | undefined,
  ablate: boolean,
): Played {
  const firings = new Map(systems.map(({ name }) => [name, [] as (readonly Firing[])[]]));
  const ablation = new Map(
    ours && ablate ? LEFT_OUT.map((name) => [name, [] as (readonly Firing[])[]]) : [],
  );
  for (const run of runs) {
    const events = readEvents(run);
    for (const system of systems) firings.get(system.name)!.push(replay(events, system));
    for (const [detector, each] of ablation)
      each.push(replayWithout(detector, events, firings.get(ours!.name)!.at(-1)!));
  }
  return { ...(ours ? { ours: ours.name } : {}), systems: firings, ablation };
}
