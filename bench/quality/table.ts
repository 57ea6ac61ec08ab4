import type { Estimate } from './bootstrap.ts';

/** A table as it is printed and as the page shows it. */
export interface Table {
  title: string;
  /** What its columns mean. */
  about: string;
  head: string[];
  /** The first column names the row; the others are figures. */
  rows: string[][];
}

/** A table as aligned text. */
export function tableText({ title, about, head, rows }: Table): string {
  const widths = head.map((name, i) => Math.max(name.length, ...rows.map((row) => row[i]!.length)));
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, i) => (i === 0 ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!)))
      .join('  ')
      .trimEnd();
  const lines = rows.length === 0 ? [] : ['', ...[head, ...rows].map((row) => `  ${line(row)}`)];
  return [title, ...(about === '' ? [] : [about]), ...lines, ''].join('\n');
}

const NONE = '–';

/** Without the zero before the point, and without the sign of what rounds to nothing. */
const short =
  (digits: number): ((value: number) => string) =>
  (value) =>
    value
      .toFixed(digits)
      .replace(/^-(?=[0.]+$)/, '')
      .replace(/^(-?)0\./, '$1.');

/** An interval of no width says only that no resample differs, so it is not shown. */
function shown(
  given: Estimate | null | undefined,
  write: (value: number) => string,
  sign = '',
): string {
  if (!given || given.value === null) return NONE;
  const { value, low, high } = given;
  const figure = `${value > 0 ? sign : ''}${write(value)}`;
  return low === null || high === null || low === high
    ? figure
    : `${figure} [${write(low)} ${write(high)}]`;
}

/** A share from 0 to 1, with its interval. */
export const portion = (given: Estimate | null | undefined): string => shown(given, short(2));
/** A small share, in percent. */
export const percent = (given: Estimate | null | undefined): string =>
  shown(given, (value) => `${(value * 100).toFixed(1)}%`);
/** A rate per 1,000 steps. */
export const rate = (given: Estimate | null | undefined): string =>
  shown(given, (value) => value.toFixed(2));
/** A number of steps. */
export const steps = (given: Estimate | null | undefined): string =>
  shown(given, (value) => value.toFixed(0));
/** A difference of shares, and one of rates, with sign. */
export const lead = (given: Estimate | null | undefined): string => shown(given, short(3), '+');
export const rateLead = (given: Estimate | null | undefined): string =>
  shown(given, (value) => value.toFixed(2), '+');
/** The figure without its interval. */
export const bare = (
  write: (given: Estimate | null | undefined) => string,
  given: Estimate | null | undefined,
): string => write(given && { ...given, low: null });
