import { cut, printable } from '@unrut/engine/text/printable';
import { noColours, type Paint } from '../text/paint.ts';

/** The format of a report: its colours and columns. */
export interface Sheet {
  paint: Paint;
  width: number;
}

/** A column heading with its options; figures are right-aligned. */
export interface Column {
  name: string;
  right: boolean;
}

/** A column of figures. */
export const figures = (name: string): Column => ({ name, right: true });

/**
 * Rows under their headings, as wide as their content, cut at `width`. Empty columns are omitted.
 */
export function table(
  columns: readonly (string | Column)[],
  rows: readonly (readonly string[])[],
  width = Number.POSITIVE_INFINITY,
  paint: Paint = noColours,
): string[] {
  const shown = rows.map((row) => row.map(printable));
  const used = columns
    .map((column, i) => ({
      ...(typeof column === 'string' ? { name: column, right: false } : column),
      i,
    }))
    .filter(({ i }) => shown.some((row) => row[i] !== ''));
  const widths = used.map(({ name, i }) =>
    Math.max(name.length, ...shown.map((row) => row[i]!.length)),
  );
  const line = (cells: readonly string[]): string =>
    cut(
      cells
        .map((cell, k) => (used[k]!.right ? cell.padStart(widths[k]!) : cell.padEnd(widths[k]!)))
        .join('  ')
        .trimEnd(),
      width,
    );
  return [
    paint.dim(line(used.map(({ name }) => name))),
    ...shown.map((row) => line(used.map(({ i }) => row[i]!))),
  ];
}
