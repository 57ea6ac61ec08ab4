import { spawnSync } from 'node:child_process';
import {
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { createSqliteLedger } from '@unrut/ledger/sqlite';
import { describe, expect, test } from 'vitest';
import { recordTo } from '../packages/cli/src/index.ts';
import { bundleWriter, newPath } from './ledger-files.ts';

const TIME = Date.UTC(2026, 0, 2, 3, 4, 5);
const ASIDE = 'ledger.db.corrupt-2026-01-02T03-04-05.000Z';
const now = (): number => TIME;

const overwrite = (path: string, bytes: string, from: number): void => {
  const file = openSync(path, 'r+');
  writeSync(file, bytes, from, 'latin1');
  closeSync(file);
};

/** A ledger with a state and some hundred entries, closed. */
async function filled(): Promise<string> {
  const path = newPath();
  const ledger = createSqliteLedger({ path });
  const entries = Array.from({ length: 500 }, (_, i) => ({
    id: `${i}`,
    session: 's',
    at: i,
    kind: 'event' as const,
    step: i,
    data: {},
  }));
  await ledger.update(['s'], () => ({ states: [{ n: 1 }], entries }));
  await ledger.close();
  return path;
}

const filesBeside = (path: string): string[] => readdirSync(dirname(path)).sort();

describe('a damaged ledger is set aside, and a new one is begun', () => {
  const damages: [string, (path: string) => void][] = [
    ['with another header', (path) => overwrite(path, 'no database here', 0)],
    ['that is a text', (path) => writeFileSync(path, 'once upon a time '.repeat(500))],
    ['that was cut off', (path) => truncateSync(path, Math.floor(statSync(path).size / 2))],
    ['that was cut off within its first page', (path) => truncateSync(path, 700)],
    [
      'with garbage behind its header',
      (path) => overwrite(path, '\xff'.repeat(statSync(path).size - 100), 100),
    ],
  ];
  test.each(damages)('one %s', async (_, damage) => {
    const path = await filled();
    damage(path);
    const before = readFileSync(path);
    const ledger = createSqliteLedger({ path, now });
    expect(await ledger.entries({ session: 's' })).toEqual([]);
    const [fault, ...others] = await ledger.entries({ kind: 'fault' });
    expect(others).toEqual([]);
    expect(fault).toMatchObject({
      session: '',
      at: TIME,
      data: { where: 'ledger', message: expect.stringContaining(ASIDE) },
    });
    await ledger.saveState('s', 1);
    expect(await ledger.loadState('s')).toBe(1);
    await ledger.close();
    expect(filesBeside(path)).toEqual(['ledger.db', ASIDE]);
    expect(readFileSync(`${dirname(path)}/${ASIDE}`).equals(before)).toBe(true);
  });

  test('when the damage is met in the middle of the work: the guard continues, and nothing of this event is lost', async () => {
    const path = await filled();
    const ledger = createSqliteLedger({ path, now });
    // All but the first pages, which are known by now.
    overwrite(path, '\xff'.repeat(statSync(path).size - 4096), 4096);
    const { faults, step } = await recordTo(ledger).observe({
      type: 'idle',
      session: 's',
      at: 1,
      reason: 'nothing to do',
    });
    expect([faults, step]).toEqual([[], 0]);
    expect((await ledger.entries()).map(({ kind }) => kind).sort()).toEqual(['event', 'fault']);
    expect(await ledger.loadState('s')).toMatchObject({ version: 1 });
    await ledger.close();
    expect(filesBeside(path)).toContain(ASIDE);
  });

  test('only the last one is kept, and forgetting everything deletes it', async () => {
    const path = await filled();
    for (const year of [2030, 2031]) {
      writeFileSync(path, 'damaged '.repeat(200));
      await createSqliteLedger({ path, now: () => Date.UTC(year, 0) }).close();
    }
    expect(filesBeside(path)).toEqual(['ledger.db', 'ledger.db.corrupt-2031-01-01T00-00-00.000Z']);
    const ledger = createSqliteLedger({ path });
    await ledger.forget();
    await ledger.close();
    expect(filesBeside(path)).toEqual(['ledger.db']);
  });

  test('also when a process was killed while it did so', async () => {
    const path = await filled();
    writeFileSync(path, 'damaged '.repeat(200));
    mkdirSync(`${path}.lock`);
    utimesSync(`${path}.lock`, 1, 1);
    await createSqliteLedger({ path, now }).close();
    expect(filesBeside(path)).toEqual(['ledger.db', ASIDE]);
  });

  test('once, when many processes meet it at the same time', async () => {
    const path = newPath();
    writeFileSync(path, 'damaged '.repeat(200));
    const crowd = `for i in 1 2 3 4 5 6 7 8; do "$0" "$1" "$2" s $i 5 >/dev/null & done; wait`;
    const { stderr } = spawnSync(
      'sh',
      ['-c', crowd, process.execPath, await bundleWriter(), path],
      { encoding: 'utf8' },
    );
    expect(stderr).toBe('');
    const ledger = createSqliteLedger({ path });
    expect(await ledger.loadState('s')).toMatchObject({ count: 40 });
    expect(await ledger.entries({ kind: 'fault' })).toHaveLength(1);
    await ledger.close();
    expect(filesBeside(path)).toHaveLength(2);
  });
});

test('an empty file is a new ledger', async () => {
  const path = newPath();
  writeFileSync(path, '');
  const ledger = createSqliteLedger({ path });
  await ledger.saveState('s', 1);
  expect(await ledger.loadState('s')).toBe(1);
  expect(await ledger.entries({ kind: 'fault' })).toEqual([]);
  await ledger.close();
  expect(filesBeside(path)).toEqual(['ledger.db']);
});
