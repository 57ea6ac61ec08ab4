import { createSqliteLedger } from '@unrut/ledger/sqlite';
import { checkHistories, LEDGERS } from '@unrut/test/suites/random-histories';
import { expect, test } from 'vitest';
import { newPath } from '../ledger-files.ts';

const NOW = Math.floor(Date.now() / 86_400_000) * 86_400_000 - 43_200_000;

test('whatever happened, SQLite tells what all entries come to', async () => {
  let checked = 0;
  for (let seed = 1; seed <= LEDGERS; seed++) {
    const ledger = createSqliteLedger({ path: newPath(), now: () => NOW });
    await checkHistories({ ledger, reports: ledger.reports!, now: NOW }, seed);
    await ledger.close();
    checked++;
  }
  expect(checked).toBe(LEDGERS);
});
