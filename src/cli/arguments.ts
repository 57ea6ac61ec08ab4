import { type ParseArgsConfig, parseArgs } from 'node:util';
import { recommended } from '../presets.ts';
import { usageError } from './exit.ts';

/** Options and operands of a command. What is wrong with them is said in one line. */
export function readArguments<const Options extends NonNullable<ParseArgsConfig['options']>>(
  command: string,
  args: readonly string[],
  options: Options,
) {
  try {
    return parseArgs({ args: [...args], allowPositionals: true, options });
  } catch (error) {
    throw usageError(`${(error as Error).message.split('\n', 1)[0]} See unrut ${command} --help.`);
  }
}

/** A whole number from `least` on. */
export function wholeNumber(name: string, given: string, least: number): number {
  const value = Number(given);
  if (/^\d+$/.test(given) && value >= least) return value;
  throw usageError(`--${name} takes a whole number from ${least} on; got ${given}.`);
}

const UNITS: Record<string, number> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

const DATE = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)?)?$/;

/** Has the form of a date, and a day that its month has: others would be taken for one of the next month. */
function isDate(given: string): boolean {
  const day = given.slice(0, 10);
  const time = DATE.test(given) ? Date.parse(day) : Number.NaN;
  return Number.isFinite(time) && new Date(time).toISOString().startsWith(day);
}

/** Epoch milliseconds of `7d`, `24h`, `30m`, `2w` ago, or of a date with or without a time. */
export function moment(name: string, given: string, now: number): number {
  const ago = /^(\d+)([mhdw])$/.exec(given);
  if (ago) return now - Number(ago[1]) * UNITS[ago[2]!]!;
  const time = isDate(given) ? Date.parse(given.replace(' ', 'T')) : Number.NaN;
  if (Number.isFinite(time)) return time;
  throw usageError(`--${name} takes 30m, 24h, 7d, 2w or a date such as 2026-11-01; got ${given}.`);
}

/** The name of a detector that is in use. */
export function detectorOption(name: string): string {
  const names = recommended.detectors.map((detector) => detector.name);
  if (names.includes(name)) return name;
  throw usageError(`--detector takes ${names.join(', ')}; got ${name}.`);
}
