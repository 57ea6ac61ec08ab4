import type { Detector } from './detectors/detector.ts';
import { detectors } from './detectors/index.ts';
import { UnrutError } from './errors.ts';
import type { Rung } from './event.ts';
import { recoveries } from './recoveries/index.ts';
import type { Recovery } from './recoveries/recovery.ts';

/** Which detectors and recoveries, and how they are used. */
export interface Preset {
  name: string;
  detectors: readonly Detector[];
  recoveries: readonly Recovery[];
  /** Rungs left out, so that the ones above come a step earlier. */
  skip: readonly Rung[];
  /** Plan and record, but never act. */
  shadow: boolean;
}

/** Least force first, one rung per step. */
export const recommended: Preset = definePreset('recommended');

/** Forceful rungs one step earlier. */
export const strict: Preset = definePreset('strict', { skip: ['hint'] });

/** Sees, plans and records everything, does nothing. */
export const observe: Preset = definePreset('observe', { shadow: true });

/* @__NO_SIDE_EFFECTS__ */
function definePreset(name: string, more: Partial<Preset> = {}): Preset {
  const inUse = detectors.filter((detector) => detector.status !== 'retired');
  return { name, detectors: inUse, recoveries, skip: [], shadow: false, ...more };
}

/** A preset (default: `recommended`) without the detectors and recoveries of these names. */
export function without(...given: [Preset, ...string[]] | string[]): Preset {
  const [first, ...rest] = given;
  const preset = typeof first === 'object' ? first : recommended;
  const names = new Set((typeof first === 'object' ? rest : given) as string[]);
  const known = [...preset.detectors, ...preset.recoveries].map((each) => each.name);
  for (const name of names) {
    if (!known.includes(name)) {
      throw new UnrutError(
        'unknown-name',
        `Cannot leave out ${name}: ${preset.name} has no detector or recovery of that name. It has ${known.join(', ')}.`,
      );
    }
  }
  return {
    ...preset,
    detectors: preset.detectors.filter((detector) => !names.has(detector.name)),
    recoveries: preset.recoveries.filter((recovery) => !names.has(recovery.name)),
  };
}
