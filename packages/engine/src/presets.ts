import type { Detector } from './detectors/detector.ts';
import { detectors } from './detectors/index.ts';
import { UnrutError } from './errors.ts';
import type { Rung } from './event.ts';
import { recoveries } from './recoveries/index.ts';
import type { Recovery } from './recoveries/recovery.ts';

/** Which detectors and recoveries are used, and how. */
export interface Preset<
  Detectors extends Detector = Detector,
  Recoveries extends Recovery = Recovery,
> {
  name: string;
  detectors: readonly Detectors[];
  recoveries: readonly Recoveries[];
  /** Rungs to skip, so that higher ones come a step earlier. */
  skip: readonly Rung[];
  /** Plan and record, but never act. */
  shadow: boolean;
}

/**
 * The presets that Unrut ships. The compiler knows the names and options of their detectors and
 * recoveries.
 */
export type ShippedPreset = Preset<(typeof detectors)[number], (typeof recoveries)[number]>;

/** Starts with the least force and climbs one rung per step. */
export const recommended: ShippedPreset = definePreset('recommended');

/** Skips the hint, so that forceful rungs come one step earlier. */
export const strict: ShippedPreset = definePreset('strict', { skip: ['hint'] });

/** Detects, plans and records everything, and never acts. */
export const observe: ShippedPreset = definePreset('observe', { shadow: true });

/* @__NO_SIDE_EFFECTS__ */
function definePreset(name: string, more: Partial<ShippedPreset> = {}): ShippedPreset {
  return { name, detectors, recoveries, skip: [], shadow: false, ...more };
}

/** The names of a preset's detectors and recoveries, as far as the compiler knows them. */
type NameIn<Given extends Preset> = (Given['detectors'] | Given['recoveries'])[number]['name'];

/** A preset (default: `recommended`) without the detectors and recoveries of these names. */
export function without(...names: NameIn<ShippedPreset>[]): ShippedPreset;
export function without<Given extends Preset>(preset: Given, ...names: NameIn<Given>[]): Given;
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
