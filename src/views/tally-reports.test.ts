import { describe, test } from 'vitest';
import { createMemoryLedger } from '../index.ts';
import { testReports } from '../testing/index.ts';
import { reportsOf } from './tally-reports.ts';

describe('reports from tallies of a ledger in memory', () => {
  const open = (now: () => number) => {
    const ledger = createMemoryLedger();
    return { ledger, reports: reportsOf(ledger, undefined, { now }) };
  };
  for (const { name, run } of testReports('memory', open)) test(name, run);
});
