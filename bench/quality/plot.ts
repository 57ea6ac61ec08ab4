import type { Estimate } from './bootstrap.ts';
import { htmlText } from './html-text.ts';

/**
 * One column of a plot: a dot and its interval for each row, and optional ticks for single cases.
 */
export interface Panel {
  title: string;
  scale: Scale;
  marks: { estimate: Estimate | null; ticks?: readonly number[]; label: string }[];
}

/** The position of values from 0 to 1, and the labelled ones. */
export interface Scale {
  at(value: number): number;
  labels: readonly number[];
}

/** Shares, from 0 to 1. */
export const SHARES: Scale = { at: (value) => value, labels: [0, 0.5, 1] };

/** Rates from 0 on, near ones drawn apart: square roots. */
export function ratesUpTo(most: number): Scale {
  const end = Math.max(1, most);
  return {
    at: (value) => Math.sqrt(value / end),
    labels: spread([0, 1, 2, 5, 10, 20, 50, 100, 200, 500], (value) => Math.sqrt(value / end)),
  };
}

/** Steps from −1 on; those beyond the end stand at its edge. */
export function stepsUpTo(most: number): Scale {
  const end = Math.max(5, most);
  const at = (value: number): number => (Math.max(-1, value) + 1) / (end + 1);
  return { at, labels: spread([0, 5, 10, 20, 50, 100, 200, 500], at) };
}

/** The values that fit next to one another. */
function spread(values: readonly number[], at: (value: number) => number): number[] {
  return values.filter(
    (value, i) => at(value) <= 1 && (i === 0 || at(value) - at(values[i - 1]!) > 0.06),
  );
}

const NAMES = 215;
const WIDTH = 930;
const ROW = 20;
const TOP = 26;
const GAP = 26;

/** Rows of names with panels of dots, as self-contained SVG. The first row is ours. */
export function plot(names: readonly string[], panels: readonly Panel[]): string {
  const height = TOP + names.length * ROW + 24;
  const width = (WIDTH - NAMES - panels.length * GAP) / panels.length;
  const middle = (row: number): number => TOP + row * ROW + ROW / 2;
  const labels = names.map(
    (name, row) =>
      `<text class="name${row === 0 ? ' ours' : ''}" x="${NAMES - 8}" y="${middle(row) + 4}">${htmlText(name)}</text>`,
  );
  const drawn = panels.map((panel, i) =>
    drawPanel(panel, NAMES + i * (width + GAP), width, middle, TOP + names.length * ROW),
  );
  return `<svg viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${htmlText(panels.map(({ title }) => title).join(', '))}">${[...labels, ...drawn].join('')}</svg>`;
}

function drawPanel(
  { title, scale, marks }: Panel,
  left: number,
  width: number,
  middle: (row: number) => number,
  bottom: number,
): string {
  const x = (value: number): string =>
    (left + Math.min(1, Math.max(0, scale.at(value))) * width).toFixed(1);
  const parts = [`<text class="title" x="${left}" y="14">${htmlText(title)}</text>`];
  for (const label of scale.labels) {
    parts.push(
      `<line class="grid" x1="${x(label)}" x2="${x(label)}" y1="${TOP - 4}" y2="${bottom}"/>`,
    );
    parts.push(`<text class="axis" x="${x(label)}" y="${bottom + 16}">${label}</text>`);
  }
  for (const [row, { estimate, ticks = [], label }] of marks.entries()) {
    if (!estimate || estimate.value === null) continue;
    const y = middle(row);
    const { value, low, high } = estimate;
    const tickMarks = ticks.map(
      (tick) => `<line class="tick" x1="${x(tick)}" x2="${x(tick)}" y1="${y - 5}" y2="${y + 5}"/>`,
    );
    const interval =
      low === null || high === null
        ? ''
        : `<line class="interval" x1="${x(low)}" x2="${x(high)}" y1="${y}" y2="${y}"/>`;
    parts.push(
      `<g${row === 0 ? ' class="ours"' : ''}><title>${htmlText(label)}</title>${tickMarks.join('')}${interval}<circle cx="${x(value)}" cy="${y}" r="4"/></g>`,
    );
  }
  return parts.join('');
}
