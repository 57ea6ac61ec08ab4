import type { Detector } from '../detectors/detector.ts';
import { RUNGS } from '../event.ts';
import { observe, type Preset, recommended, strict } from '../presets.ts';
import type { Config, PieceConfig } from './config.ts';
import type { PresetName, Settings } from './settings.ts';

/** The presets that a config can begin from. */
const PRESETS: Readonly<Record<PresetName, Preset>> = { recommended, strict, observe };

/** A checked config as what the parts of Unrut take. */
export function toSettings(config: Config, ledgerPath: string, complain: (key: string, what: string) => void): Settings {
  const { preset: name = 'recommended', attended, tools, allow, notify, companion = true, ledger } = config;
  const preset: Preset = {
    ...PRESETS[name],
    detectors: withRungs(kept(PRESETS[name].detectors, config.detectors), config.detectors, complain),
    recoveries: kept(PRESETS[name].recoveries, config.recoveries),
    skip: config.skip ?? PRESETS[name].skip,
  };
  const shadow = config.shadow ?? preset.shadow;
  return {
    preset: name,
    shadow,
    ...(attended === undefined ? {} : { attended }),
    guard: {
      preset,
      shadow,
      ...(attended === undefined ? {} : { attended }),
      ...(tools ? { tools } : {}),
      ...(allow ? { allow } : {}),
    },
    ...(notify?.command || notify?.webhook ? { notify } : {}),
    companion,
    ledger: { path: ledgerPath, ...(ledger?.retention ? { retention: ledger.retention } : {}) },
  };
}

/** Without those that are off, and with their options changed. */
function kept<Each extends { name: string; options: object }>(all: readonly Each[], given: Config['detectors']): readonly Each[] {
  if (!given) return all;
  return all
    .filter(({ name }) => given[name] !== false)
    .map((each) => {
      const { rungs: _, ...options } = changesOf(given[each.name]);
      return Object.keys(options).length > 0 ? { ...each, options: { ...each.options, ...options } } : each;
    });
}

function withRungs(
  all: readonly Detector[],
  given: Config['detectors'],
  complain: (key: string, what: string) => void,
): readonly Detector[] {
  if (!given) return all;
  return all.map((detector) => {
    const rungs = { ...detector.rungs, ...changesOf(given[detector.name]).rungs };
    if (RUNGS.indexOf(rungs.first) <= RUNGS.indexOf(rungs.highest)) return { ...detector, rungs };
    const { first, highest } = rungs;
    complain(`detectors.${detector.name}.rungs`, `expected first not above highest, got ${first} and ${highest}; they are left out`);
    return detector;
  });
}

const changesOf = (given: boolean | PieceConfig | undefined): PieceConfig => (typeof given === 'object' ? given : {});
