import type { Detector } from '../detectors/detector.ts';
import { isAllowed } from '../option.ts';

export type Value = number | boolean;

/** One option of one detector, changed. */
export interface Variant {
  detector: string;
  option: string;
  was: Value;
  value: Value;
  /** How far from the default, which is 0; 1 is the nearest value. */
  notches: number;
}

/** Up to here every whole number is tried, so that the smallest change is found exactly. */
const EVERY_UP_TO = 24;
const FURTHER = [32, 48, 64, 96, 128];
/** Numbers of characters and the like are not tried one by one. */
const FACTORS = [1.25, 1.5, 2, 4, 8, 16];
const SHARE_STEP = 0.05;

/** Every value that is tried in place of an option's default, the nearest first on each side. */
export function valuesOf(was: unknown): { value: Value; notches: number }[] {
  if (typeof was === 'boolean') return [{ value: !was, notches: 1 }];
  if (typeof was !== 'number' || !Number.isFinite(was)) return [];
  const [down, up] = Number.isInteger(was) ? (was <= EVERY_UP_TO ? small(was) : large(was)) : shares(was);
  return [...down.map(numbered), ...up.map(numbered)];
}

const numbered = (value: number, i: number): { value: number; notches: number } => ({ value, notches: i + 1 });

function small(was: number): [number[], number[]] {
  const down: number[] = [];
  for (let value = was - 1; value >= 1; value--) down.push(value);
  const up: number[] = [];
  for (let value = was + 1; value <= EVERY_UP_TO; value++) up.push(value);
  return [down, [...up, ...FURTHER]];
}

const large = (was: number): [number[], number[]] => [
  FACTORS.map((factor) => Math.round(was / factor)),
  FACTORS.map((factor) => Math.round(was * factor)),
];

function shares(was: number): [number[], number[]] {
  const steps = Array.from({ length: Math.round(1 / SHARE_STEP) }, (_, i) => (i + 1) * SHARE_STEP);
  const rounded = (value: number): number => Math.round(value * 100) / 100;
  return [
    steps.map((step) => rounded(was - step)).filter((value) => value > 0),
    steps.map((step) => rounded(was + step)).filter((value) => value <= 1),
  ];
}

/** A detector and every variant of it, each as a detector of its own name. They only speak: nothing is planned for them. */
export function variantsOf(detector: Detector): { variant: Variant; copy: Detector }[] {
  return Object.entries(detector.options).flatMap(([option, was]) =>
    [{ value: was as Value, notches: 0 }, ...valuesOf(was).filter(({ value }) => isAllowed(detector.declared[option] ?? {}, value))].map(
      ({ value, notches }) => ({
        variant: { detector: detector.name, option, was: was as Value, value, notches },
        copy: { ...detector, name: `${detector.name} ${option} ${value}`, options: { ...detector.options, [option]: value } },
      }),
    ),
  );
}
