import { createSqliteLedger } from '@unrut/ledger/sqlite';
import { testReports } from '@unrut/test/suites/test-reports';
import { describe, test } from 'vitest';
import { newPath } from '../ledger-files.ts';

describe('reports of a file', () => {
  const open = (now: () => number) => {
    const ledger = createSqliteLedger({ path: newPath(), now });
    return { ledger, reports: ledger.reports! };
  };
  for (const { name, run } of testReports('sqlite', open)) test(name, run);
});
