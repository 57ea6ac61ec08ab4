import type { Detector } from './detectors/detector.ts';
import { detectors } from './detectors/index.ts';
import { UnrutError } from './errors.ts';
import type { Rung } from './event.ts';
import { recoveries } from './recoveries/index.ts';
import type { Recovery } from './recoveries/recovery.ts';

/** Which detectors and recoveries, and how they are used. */
export interface Preset<Detectors extends Detector = Detector, Recoveries extends Recovery = Recovery> {
  name: string;
  detectors: readonly Detectors[];
  recoveries: readonly Recoveries[];
  /** Rungs left out, so that the ones above come a step earlier. */
  skip: readonly Rung[];
  /** Plan and record, but never act. */
  shadow: boolean;
}

const inUse = detectors.filter((detector) => detector.status !== 'retired');

/** The presets that are shipped: the names and options of their detectors and recoveries are known to the compiler. */
export type ShippedPreset = Preset<(typeof detectors)[number], (typeof recoveries)[number]>;

/** Least force first, one rung per step. */
export const recommended: ShippedPreset = { name: 'recommended', detectors: inUse, recoveries, skip: [], shadow: false };

/** Forceful rungs one step earlier. */
export const strict: ShippedPreset = { ...recommended, name: 'strict', skip: ['hint'] };

/** Sees, plans and records everything, does nothing. */
export const observe: ShippedPreset = { ...recommended, name: 'observe', shadow: true };

/** A preset (default: `recommended`) without the detectors and recoveries of these names. */
export function without(...names: string[]): ShippedPreset;
export function without<Given extends Preset>(preset: Given, ...names: string[]): Given;
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
