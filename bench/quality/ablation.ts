import { type Preset, recommended, without } from '@unrut/engine/presets';
import type { Imported } from '@unrut/logs/importers/source';
import { guardSystem, replay } from './replay.ts';
import type { Firing } from './run.ts';

/** Every detector that can be left out. */
export const LEFT_OUT: readonly string[] = recommended.detectors.map(({ name }) => name);

/** The detector behind a firing of ours. */
export const detectorOf = ({ by }: Pick<Firing, 'by'>): string => by.split('/', 1)[0]!;

/**
 * The firings on a run without one detector. A detector that did not fire changed nothing, since
 * the others and the policy never see it, so only runs on which it fired are replayed.
 */
export function replayWithout(
  detector: string,
  events: readonly Imported[],
  full: readonly Firing[],
): readonly Firing[] {
  if (!full.some((firing) => detectorOf(firing) === detector)) return full;
  return replay(events, guardSystem(`without ${detector}`, without<Preset>(recommended, detector)));
}
