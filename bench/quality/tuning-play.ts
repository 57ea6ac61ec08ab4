import type { Imported } from '@unrut/logs/importers/source';
import { detectorOf } from './ablation.ts';
import { readEvents } from './corpus.ts';
import { type Tallies, tallies } from './measure.ts';
import { guardSystem, replay } from './replay.ts';
import type { Firing, Run } from './run.ts';
import { presetWith, type Setting } from './tuning-grid.ts';

/** A run's tallies with each of these settings, warnings included, in the order of the settings. */
export function playSettings(runs: readonly Run[], settings: readonly Setting[]): Tallies[] {
  const all = settings.map((): Tallies => ({ spans: [], verdicts: [], quiet: [] }));
  for (const run of runs) {
    const known = new Map<readonly Firing[], Tallies>();
    for (const [i, firings] of replaySettings(readEvents(run), settings).entries()) {
      const of = known.get(firings) ?? tallies([run], [firings], 'warn');
      known.set(firings, of);
      all[i]!.spans.push(...of.spans);
      all[i]!.verdicts.push(...of.verdicts);
      all[i]!.quiet.push(...of.quiet);
    }
  }
  return all;
}

/**
 * The firings on a run with each of these settings, the loosest first. A detector that is silent
 * with the loosest options is silent with all, so a run is replayed only for the options of those
 * that fire.
 */
export function replaySettings(
  events: readonly Imported[],
  settings: readonly Setting[],
): (readonly Firing[])[] {
  const [loosest] = settings;
  const replayed = (setting: Setting): readonly Firing[] =>
    replay(events, guardSystem('tuned', presetWith(setting)));
  const loose = replayed(loosest!);
  const speaking = new Set(loose.map(detectorOf));
  const nameOf = (setting: Setting): string =>
    JSON.stringify(Object.entries(setting).filter(([name]) => speaking.has(name)));
  const known = new Map([[nameOf(loosest!), loose]]);
  return settings.map((setting) => {
    const name = nameOf(setting);
    const firings = known.get(name) ?? replayed(setting);
    known.set(name, firings);
    return firings;
  });
}
