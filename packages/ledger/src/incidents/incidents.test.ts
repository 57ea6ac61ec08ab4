import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { testIncidents } from '@unrut/test/suites/test-incidents';
import { describe, test } from 'vitest';
import { createSqliteLedger } from '../sqlite/create-sqlite-ledger.ts';

describe('incidents in a file', () => {
  const cases = testIncidents(async (now) => {
    const folder = mkdtempSync(join(tmpdir(), 'unrut-incidents-'));
    const ledger = createSqliteLedger({ path: join(folder, 'ledger.db'), now });
    return {
      ledger,
      reports: ledger.reports!,
      async close() {
        await ledger.close();
        rmSync(folder, { recursive: true });
      },
    };
  });
  for (const { name, run } of cases) test(name, run);
});
