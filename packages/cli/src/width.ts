import type { Sheet } from '@unrut/ledger/report/table';
import { paintFor } from '@unrut/ledger/text/paint';

/**
 * Columns that a report may take: as many as the terminal has, or as `COLUMNS` says where there is
 * none.
 */
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
