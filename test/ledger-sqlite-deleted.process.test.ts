import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, renameSync, rmSync, utimesSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Readable } from 'node:stream';
import type { Ledger, LedgerEntry } from '@unrut/ledger/ledger';
import { createSqliteLedger } from '@unrut/ledger/sqlite';
import { afterAll, describe, expect, test } from 'vitest';
import { newPath } from './ledger-files.ts';

const entry = (id: string): LedgerEntry => ({
  id,
  session: 's',
  at: 1,
  kind: 'event',
  step: 0,
  data: {},
});
const idsIn = async (ledger: Ledger): Promise<string[]> =>
  (await ledger.entries()).map(({ id }) => id);

const children: ChildProcessByStdio<null, Readable, null>[] = [];
afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
});

/** Another process that has the ledger open and does nothing. */
async function startIdle(path: string): Promise<void> {
  const program = `
    import { DatabaseSync } from 'node:sqlite';
    const database = new DatabaseSync(${JSON.stringify(path)});
    database.prepare('SELECT count(*) FROM entries').get();
    console.log('open');
    setInterval(() => database, 1000);
  `;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  children.push(child);
  await once(child.stdout, 'data');
}

describe('a ledger whose file is deleted while it is open begins a new one', () => {
  test.each<[string, (path: string) => void]>([
    ['with all that belongs to it', (path) => rmSync(dirname(path), { recursive: true })],
    ['alone', (path) => rmSync(path)],
  ])('%s', async (_, remove) => {
    const path = newPath();
    const ledgers = [createSqliteLedger({ path }), createSqliteLedger({ path })] as const;
    await ledgers[0].append([entry('before')]);
    remove(path);
    await ledgers[0].update(['s'], () => ({ states: [{ n: 1 }], entries: [entry('a')] }), {
      repeatable: true,
    });
    await ledgers[1].append([entry('b')]);
    expect(existsSync(path)).toBe(true);
    for (const ledger of ledgers) expect(await idsIn(ledger)).toEqual(['a', 'b']);
    for (const ledger of ledgers) await ledger.close();
    const again = createSqliteLedger({ path });
    expect([await idsIn(again), await again.loadState('s')]).toEqual([['a', 'b'], { n: 1 }]);
    await again.close();
  });

  test('also when another process still shares the log of the old one', async () => {
    const path = newPath();
    const ledger = createSqliteLedger({ path });
    await ledger.append([entry('before')]);
    await startIdle(path);
    rmSync(path);
    utimesSync(`${path}-wal`, 1, 1);
    for (const id of ['a', 'b', 'c']) await ledger.append([entry(id)]);
    expect(await idsIn(ledger)).toEqual(['a', 'b', 'c']);
    await ledger.close();
  });

  test('or continues with another one that was put in its place', async () => {
    const [path, other] = [newPath(), newPath()];
    const ledger = createSqliteLedger({ path });
    await ledger.append([entry('before')]);
    const another = createSqliteLedger({ path: other });
    await another.append([entry('other')]);
    await another.close();
    renameSync(other, path);
    for (const suffix of ['-wal', '-shm']) rmSync(path + suffix);
    await ledger.append([entry('a')]);
    expect(await idsIn(ledger)).toEqual(['other', 'a']);
    await ledger.close();
  });
});
