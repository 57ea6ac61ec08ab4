import { createSqliteLedger } from '@unrut/ledger/sqlite';
import { checkHistories, ledgersFor } from '@unrut/test/suites/random-histories';
import { expect, test } from 'vitest';
import { isFull } from '../full-runs.ts';
import { newPath } from '../ledger-files.ts';

const NOW = Math.floor(Date.now() / 86_400_000) * 86_400_000 - 43_200_000;

test('whatever happened, SQLite tells what all entries come to', async () => {
  const ledgers = ledgersFor(isFull ? 100_000 : 1000);
  let checked = 0;
  for (let seed = 1; seed <= ledgers; seed++) {
    const ledger = createSqliteLedger({ path: newPath(), now: () => NOW });
    await checkHistories({ ledger, reports: ledger.reports!, now: NOW }, seed);
    await ledger.close();
    checked++;
  }
  expect(checked).toBe(ledgers);
});
