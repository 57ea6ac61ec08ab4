import { type Preset, recommended } from '@unrut/engine/presets';

/** Options of detectors, by the detector's name. */
export type Setting = Readonly<Record<string, Readonly<Record<string, number>>>>;

/**
 * The options whose values were found by looking at scores. The loosest value of each comes first.
 */
const GRID: Readonly<Record<string, Readonly<Record<string, readonly number[]>>>> = {
  'repeated-message': {
    alike: [0.35, 0.45, 0.55],
    alikeBlind: [0.6, 0.7, 0.8],
    littleNew: [0.5, 0.35, 0.25],
  },
  'same-intent': { threshold: [3, 4, 5], alike: [0.25, 0.3, 0.4], alikeScreens: [0.4, 0.5, 0.6] },
  'near-repeat': { staleActs: [2, 2.5, 3] },
};

/** Every combination of the values, the loosest first. */
export const SETTINGS: readonly Setting[] = product();

function product(): Setting[] {
  let settings: Setting[] = [{}];
  for (const [detector, options] of Object.entries(GRID)) {
    for (const [option, values] of Object.entries(options)) {
      settings = settings.flatMap((setting) =>
        values.map((value) => ({
          ...setting,
          [detector]: { ...setting[detector], [option]: value },
        })),
      );
    }
  }
  return settings;
}

/** The recommended preset with these options. */
export const presetWith = (setting: Setting): Preset => ({
  ...recommended,
  detectors: recommended.detectors.map((detector) => ({
    ...detector,
    options: { ...detector.options, ...setting[detector.name] },
  })),
});

/** Whether these are the options that detectors have by default. */
export const isShipped = (setting: Setting): boolean =>
  recommended.detectors.every(({ name, options }) =>
    Object.entries(setting[name] ?? {}).every(
      ([option, value]) => options[option as keyof typeof options] === value,
    ),
  );
