import { createSqliteLedger } from '@unrut/ledger/sqlite';
import { reportsOf } from '@unrut/ledger/views/tally-reports';
import { testReports } from '@unrut/test/suites/test-reports';
import { describe, test } from 'vitest';
import { newPath } from '../ledger-files.ts';

describe('reports from tallies of a file', () => {
  const open = (now: () => number) => {
    const path = newPath();
    const ledger = createSqliteLedger({ path });
    return { ledger, reports: reportsOf(ledger, path, { now }) };
  };
  for (const { name, run } of testReports('sqlite', open)) test(name, run);
});
