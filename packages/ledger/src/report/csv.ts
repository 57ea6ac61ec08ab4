import { printable } from '@unrut/engine/text/printable';

/** Prefixes cells that a spreadsheet would read as a formula with an apostrophe. */
function cellOf(value: unknown): string {
  const text = value === undefined ? '' : printable(String(value));
  const safe = typeof value === 'string' && /^[=+\-@]/.test(text) ? `'${text}` : text;
  return /[",\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** A table as CSV. */
export const csvOf = (head: readonly string[], rows: readonly (readonly unknown[])[]): string =>
  [head, ...rows].map((cells) => `${cells.map(cellOf).join(',')}\r\n`).join('');
