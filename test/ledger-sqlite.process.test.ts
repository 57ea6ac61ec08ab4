import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Machine } from '@unrut/engine/machine';
import { createSqliteLedger, ledgerPath } from '@unrut/ledger/sqlite';
import { testRecorder } from '@unrut/test/suites/test-recorder';
import { testLedger } from '@unrut/testing';
import { describe, expect, test } from 'vitest';
import { recordTo, UnrutError } from '../packages/cli/src/index.ts';
import { codeOf, newFolder, newPath } from './ledger-files.ts';

const permissionsOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);

describe('the ledger in SQLite', () => {
  for (const { name, run } of testLedger('sqlite', () => createSqliteLedger({ path: newPath() })))
    test(name, run);
  for (const { name, run } of testRecorder('recorder on sqlite', () =>
    createSqliteLedger({ path: newPath() }),
  ))
    test(name, run);

  test('is for the user alone: the folder, the file and what SQLite puts next to it', async () => {
    const path = join(newFolder(), 'new', 'ledger.db');
    const ledger = createSqliteLedger({ path });
    await ledger.saveState('s', 1);
    expect(permissionsOf(join(path, '..'))).toBe('700');
    expect([path, `${path}-wal`, `${path}-shm`].map(permissionsOf)).toEqual(['600', '600', '600']);
    await ledger.close();
    chmodSync(path, 0o644);
    await createSqliteLedger({ path }).close();
    expect(permissionsOf(path)).toBe('600');
  });

  test('answers SQL: a view for each kind of entry, and the context entries', async () => {
    const path = newPath();
    const ledger = createSqliteLedger({ path });
    const guard = recordTo(ledger);
    for (let i = 1; i <= 4; i++) {
      await guard.observe({
        type: 'call-finished',
        session: 's',
        at: i * 5000,
        call: { id: `c${i}`, tool: 'lookup_order', args: { order: 7 } },
        result: 'Order 7 was shipped on Monday and is on its way.',
      });
    }
    const advice = {
      entryType: 'note',
      content: 'Go on.',
      relatedTasks: [],
      confidence: 1,
      metadata: {},
      session: 's',
    };
    const topics = ['loop_recovery', 'unblock_authority', 'other'];
    await ledger.update([], () => ({
      context: topics.map((topic, i) => ({ ...advice, id: topic, topic, timestamp: i })),
    }));
    await ledger.close();

    const database = new DatabaseSync(path, { readOnly: true });
    const all = (sql: string): unknown[] =>
      database
        .prepare(sql)
        .all()
        .map((row) => Object.values(row).join(' '));
    expect(all('SELECT step, type, tool FROM events ORDER BY step')).toEqual(
      [0, 1, 2, 3].map((i) => `${i} call-finished lookup_order`),
    );
    expect(all('SELECT step, detector, rung, count FROM signals ORDER BY step')).toEqual([
      '2 repeated-call note 3',
      '3 repeated-call hint 4',
    ]);
    expect(all('SELECT rung, reason FROM plans ORDER BY step')).toEqual([
      'note repeated-call/consecutive',
      'hint repeated-call/consecutive',
    ]);
    expect(all('SELECT step, outcome FROM outcomes')).toEqual(['3 persisted']);
    expect(all('SELECT * FROM faults')).toEqual([]);
    const recoveries = `SELECT topic FROM context_entries
      WHERE topic IN ('loop_recovery','loop_recovery_directive','unblock_authority','loop_escalation') ORDER BY timestamp DESC LIMIT 10`;
    expect(all(recoveries)).toEqual(['unblock_authority', 'loop_recovery']);
    database.close();
  });

  test('leaves nothing of a forgotten session in the file or its log', async () => {
    const path = newPath();
    const ledger = createSqliteLedger({ path });
    for (const word of ['elephant', 'giraffe'])
      for (let i = 0; i < 9; i++) await ledger.saveState(word, `${word} `.repeat(2000 - i));
    const bytes = (): string =>
      [path, `${path}-wal`].map((file) => readFileSync(file, 'latin1')).join('');
    expect(bytes()).toContain('elephant');
    await ledger.forget('elephant');
    expect(bytes()).not.toContain('elephant');
    expect(bytes()).toContain('giraffe');
    await ledger.close();
  });

  test('says that it has been closed, and can be closed twice', async () => {
    const ledger = createSqliteLedger({ path: newPath() });
    await ledger.close();
    await ledger.close();
    await expect(ledger.sessions()).rejects.toMatchObject({ code: 'closed-ledger' });
  });

  test('loads no SQLite before it is used', () => {
    const index = new URL('../packages/ledger/src/sqlite/index.ts', import.meta.url).href;
    const code = `await import(${JSON.stringify(index)}); console.log(process.moduleLoadList.filter((name) => /sqlite/.test(name)).join())`;
    const { stdout, stderr } = spawnSync(
      process.execPath,
      ['--input-type=module', '--eval', code],
      { encoding: 'utf8' },
    );
    expect([stdout, stderr]).toEqual(['\n', '']);
  });

  test.each([{ days: 0 }, { megabytes: -1 }, { days: Number.NaN }])(
    'does not take a retention of %j',
    (retention) => {
      expect(codeOf(() => createSqliteLedger({ path: newPath(), retention }))).toBe('bad-option');
    },
  );
});

describe('a ledger that cannot be used is one clear error', () => {
  test('in a folder that cannot be written to', () => {
    const folder = newFolder();
    chmodSync(folder, 0o555);
    // The administrator may write anywhere, so it steps down first.
    const code = `const { createSqliteLedger } = await import(${JSON.stringify(new URL('../packages/ledger/src/sqlite/index.ts', import.meta.url).href)});
      if (process.getuid() === 0) process.seteuid(65534);
      try { createSqliteLedger({ path: ${JSON.stringify(join(folder, 'ledger.db'))} }) } catch (error) { console.log(error.code, error.message) }`;
    const { stdout, stderr } = spawnSync(
      process.execPath,
      ['--input-type=module', '--eval', code],
      { encoding: 'utf8' },
    );
    expect(stderr).toBe('');
    expect(stdout).toMatch(
      /^ledger-unusable \[unrut\] \[sqlite\] Cannot use .*ledger\.db: .*permission denied.* Check that .*UNRUT_HOME.*\n$/,
    );
  });

  test('where a file stands in place of the folder', () => {
    const file = join(newFolder(), 'file');
    writeFileSync(file, '');
    expect(codeOf(() => createSqliteLedger({ path: join(file, 'ledger.db') }))).toBe(
      'ledger-unusable',
    );
  });

  test('where a folder stands in place of the file', () => {
    const path = newPath();
    mkdirSync(path);
    expect(codeOf(() => createSqliteLedger({ path }))).toBe('ledger-unusable');
  });

  test.each([
    [
      'of a later version',
      'PRAGMA user_version = 99',
      'newer-ledger',
      /has version 99; .*Update Unrut/,
    ],
    ['of another program', 'PRAGMA application_id = 7', 'not-a-ledger', /another program/],
  ])('for a file %s, which is not touched', async (_, sql, code, message) => {
    const path = newPath();
    await createSqliteLedger({ path }).close();
    const database = new DatabaseSync(path);
    database.exec(sql);
    database.close();
    const before = readFileSync(path);
    let thrown: unknown;
    try {
      createSqliteLedger({ path });
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(UnrutError);
    expect(thrown).toMatchObject({ code, message: expect.stringMatching(message) });
    expect(readFileSync(path).equals(before)).toBe(true);
  });
});

describe('where the ledger lives', () => {
  const linux: Machine = { home: '/home/dev', variables: {}, platform: 'linux' };
  const mac: Machine = { home: '/Users/dev', variables: {}, platform: 'darwin' };
  const windows: Machine = { home: 'C:\\Users\\dev', variables: {}, platform: 'win32' };
  test.each<[string, Machine, Machine['variables'], string]>([
    ['Linux', linux, {}, '/home/dev/.local/state/unrut/ledger.db'],
    [
      'Linux with a folder for states',
      linux,
      { XDG_STATE_HOME: '/var/dev' },
      '/var/dev/unrut/ledger.db',
    ],
    [
      'Linux with a relative one',
      linux,
      { XDG_STATE_HOME: 'states' },
      '/home/dev/.local/state/unrut/ledger.db',
    ],
    [
      'Linux with an empty one',
      linux,
      { XDG_STATE_HOME: ' ' },
      '/home/dev/.local/state/unrut/ledger.db',
    ],
    [
      'Linux with a home of its own',
      linux,
      { UNRUT_HOME: '/srv/unrut', XDG_STATE_HOME: '/var/dev' },
      '/srv/unrut/ledger.db',
    ],
    [
      'macOS',
      mac,
      { XDG_STATE_HOME: '/var/dev' },
      '/Users/dev/Library/Application Support/unrut/ledger.db',
    ],
    ['macOS with a home of its own', mac, { UNRUT_HOME: '/srv/unrut' }, '/srv/unrut/ledger.db'],
    ['Windows', windows, {}, 'C:\\Users\\dev\\AppData\\Local\\unrut\\ledger.db'],
    [
      'Windows with a local folder',
      windows,
      { LOCALAPPDATA: 'D:\\Local' },
      'D:\\Local\\unrut\\ledger.db',
    ],
    [
      'Windows with a home of its own',
      windows,
      { UNRUT_HOME: 'D:\\Unrut' },
      'D:\\Unrut\\ledger.db',
    ],
  ])('on %s', (_, machine, variables, path) => {
    expect(ledgerPath({ ...machine, variables })).toBe(path);
  });
});
