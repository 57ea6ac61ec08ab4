import type { LoopFigures } from '../reports/reports.ts';
import type { Rate } from './scan-report.ts';

/** Of 95 %. */
export const Z = 1.96;

/**
 * A proportion of independent cases, with its Wilson interval. Without cases, the interval is 0 to
 * 1.
 */
export function rateOf(part: number, all: number): Rate {
  if (all === 0) return { value: 0, low: 0, high: 1 };
  const p = part / all;
  const middle = p + Z ** 2 / (2 * all);
  const reach = Z * Math.sqrt((p * (1 - p)) / all + Z ** 2 / (4 * all ** 2));
  const whole = 1 + Z ** 2 / all;
  return toRate(p, (middle - reach) / whole, (middle + reach) / whole);
}

/**
 * The share of loops that ended, among those that are no longer open. Loops of one session are
 * correlated, so the interval uses the effective number of loops.
 */
export function endedRate({ loops, effective, endings: { open, never } }: LoopFigures): Rate {
  const weight = loops === 0 ? 0 : effective / loops;
  return rateOf((loops - open - never) * weight, (loops - open) * weight);
}

export const roundRate = (value: number): number => Math.round(value * 1e4) / 1e4;

/** Rounded, and limited to the range 0 to 1. */
export const toRate = (value: number, low: number, high: number): Rate => ({
  value: roundRate(value),
  low: roundRate(Math.max(0, low)),
  high: roundRate(Math.min(1, high)),
});
