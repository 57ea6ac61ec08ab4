import { describe, test } from 'vitest';
import { createSqliteLedger } from '../../src/ledger/sqlite/index.ts';
import { testReports } from '../../src/testing/index.ts';
import { reportsOf } from '../../src/views/tally-reports.ts';
import { newPath } from '../ledger-files.ts';

describe('reports from tallies of a file', () => {
  const open = (now: () => number) => {
    const path = newPath();
    const ledger = createSqliteLedger({ path });
    return { ledger, reports: reportsOf(ledger, path, { now }) };
  };
  for (const { name, run } of testReports('sqlite', open)) test(name, run);
});
