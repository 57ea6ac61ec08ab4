/** Limits of a report page, so that it opens quickly. The page says how much was left out. */
export const MAX = {
  /** Runs with a section of their own. */
  runs: 200,
  /** Max number of sections that are open initially. */
  unfolded: 10,
  /** Max number of loops with a section: in all, and of one run. */
  loops: 400,
  loopsOfRun: 30,
  /** Max length of a timeline; in longer runs, a letter stands for several steps. */
  letters: 10_000,
  /** Repeats in one table. */
  columns: 8,
  /** Lines of a list and of a chart. */
  listed: 1000,
  problems: 100,
  bars: 10,
  /** Max characters of a name, a text, and a table cell. */
  name: 200,
  text: 2000,
  cell: 800,
} as const;

/** Cuts a text to this length, with a mark where it was cut. */
export function clip(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most).trimEnd()}…`;
}
