import type { Sheet } from '@unrut/ledger/report/table';
import { paintFor } from '@unrut/ledger/text/paint';

/** The width of a report in columns: that of the terminal, or `COLUMNS` if there is no terminal. */
export function widthOf(
  stream: { columns?: number },
  variables: Readonly<Record<string, string | undefined>>,
): number {
  const columns = stream.columns || Number(variables.COLUMNS) || 100;
  return Math.max(20, Math.min(120, Math.floor(columns)));
}

/** Standard output, as reports are written for it. */
export const standardOutput = (): Sheet => ({
  paint: paintFor(process.stdout),
  width: widthOf(process.stdout, process.env),
});
