import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { forceFile, makeForceTable, withForceTable } from '../../scripts/force-table.ts';

test('docs/recoveries.md says what happens at which step; else run `npm run format`', () => {
  const page = readFileSync(forceFile, 'utf8');
  expect(page).toContain('| attended | unattended |');
  expect(page).toBe(withForceTable(page));
});

test('every loop of the table that is not a wait ends when unattended and reaches a human when attended', () => {
  const rows = makeForceTable()
    .split('\n')
    .filter((line) => line.startsWith('| ') && !line.includes('attended |'))
    .map((line) => line.split(' | ').map((cell) => cell.replace(/^\| | \|$/g, '')));
  expect(rows.length).toBeGreaterThan(10);
  for (const [name, attended, unattended] of rows) {
    if (/every 30 s|every 10 s/.test(name!)) {
      expect(unattended, name).not.toContain('stop');
      continue;
    }
    expect(attended, name).toMatch(/human|block|stop/);
    expect(unattended, name).toContain('stop');
  }
});
