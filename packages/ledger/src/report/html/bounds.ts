/**
 * How much of a report the page shows, so that it opens quickly however much was scanned. What is
 * left out is said.
 */
export const MAX = {
  /** Runs with a section of their own. */
  runs: 200,
  /** Of these, as many are open to be read at once. */
  unfolded: 10,
  /** Loops with a section of their own: in all, and of one run. */
  loops: 400,
  loopsOfRun: 30,
  /** Letters of one timeline; a longer run has several steps in a letter. */
  letters: 10_000,
  /** Repeats in one table. */
  columns: 8,
  /** Lines of a list and of a chart. */
  listed: 1000,
  problems: 100,
  bars: 10,
  /** Characters of a name, of a text, and of one cell of a table. */
  name: 200,
  text: 2000,
  cell: 800,
} as const;

/** A text that is no longer than this, with a mark where it was cut. */
export function clip(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most).trimEnd()}…`;
}
