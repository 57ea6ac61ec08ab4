import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LedgerEntry } from '@unrut/ledger/ledger';
import { createSqliteLedger } from '@unrut/ledger/sqlite';
import { beforeAll, describe, expect, test } from 'vitest';
import { bundledPrograms } from '../bundled-programs.ts';
import { newFolder } from '../ledger-files.ts';
import { recordLoop } from './recorded-run.ts';

const { cli } = bundledPrograms();

function unrut(home: string, ...args: string[]) {
  const env = { ...process.env, UNRUT_HOME: home, TZ: 'UTC', NO_COLOR: '1' };
  const { status, stdout, stderr } = spawnSync(process.execPath, [cli, ...args], {
    cwd: tmpdir(),
    encoding: 'utf8',
    env,
  });
  return { status, stdout, stderr: stderr.trim().split('\n').filter(Boolean) };
}

const linesOf = (text: string): string[] => text.trim().split('\n');

async function fill(home: string): Promise<void> {
  const ledger = createSqliteLedger({ path: join(home, 'ledger.db') });
  await recordLoop(ledger, { session: '3f2a91bc-1111', tries: 6, at: Date.now() - 60_000 });
  await recordLoop(ledger, { session: '3f2a91bc-2222', tries: 1, at: Date.now() - 7_200_000 });
  await recordLoop(ledger, { session: 'another', host: 'codex', tries: 3 });
  await ledger.close();
}

describe('where nothing was recorded', () => {
  const home = join(newFolder(), 'home');

  test.each([[['show', '--list']], [['show', '--log']], [['stats']]])(
    '%j says how to connect an agent',
    (args) => {
      const { status, stdout, stderr } = unrut(home, ...args);
      expect({ status, stderr }).toEqual({ status: 0, stderr: [] });
      expect(stdout).toContain('unrut install claude-code');
      expect(existsSync(home)).toBe(false);
    },
  );

  test.each([
    [['show', '--list', '--json'], { sessions: [], more: 0 }],
    [['stats', '--json'], expect.objectContaining({ sessions: 0, detectors: [] })],
    [['ledger', 'forget', '--all', '--yes', '--json'], { forgotten: [] }],
  ])('%j gives the same form as ever', (args, expected) => {
    expect(JSON.parse(unrut(home, ...args).stdout)).toEqual(expected);
    expect(existsSync(home)).toBe(false);
  });

  test.each([
    [['show', 'abc']],
    [['ledger', 'forget', 'abc']],
    [['show', '--log', '--session', 'abc']],
  ])('%j ends with 2', (args) => {
    expect(unrut(home, ...args)).toEqual({
      status: 2,
      stdout: '',
      stderr: ['[unrut] There is no session abc in the ledger. unrut show --list lists them.'],
    });
    expect(existsSync(home)).toBe(false);
  });
});

describe('with a ledger', () => {
  const home = newFolder();
  beforeAll(() => fill(home));

  test('sessions lists them, the newest first', () => {
    const { status, stdout, stderr } = unrut(home, 'show', '--list');
    expect({ status, stderr }).toEqual({ status: 0, stderr: [] });
    expect(stdout).toMatch(/^3 sessions, 2 with loops\./);
    const rows = linesOf(stdout).slice(3, 6);
    expect(rows[0]).toMatch(/^another +codex +project +looping +\d+ s ago +3 +1 +1/);
    expect(rows[1]).toMatch(
      /^3f2a91bc-1 +claude-code +project +looping +\d+ s ago +6 +1 +4 +3 persisted/,
    );
    expect(rows[2]).toMatch(/^3f2a91bc-2 +claude-code +project +silent +\d h ago +1 +0 +0/);
  });

  test('sessions can be narrowed', () => {
    expect(
      JSON.parse(unrut(home, 'show', '--list', '--since', '1h', '--json').stdout).sessions,
    ).toHaveLength(2);
    expect(unrut(home, 'show', '--list', '--last', '1').stdout).toMatch(
      /^The newest 1 of 3 sessions, .*--last 3 lists all/s,
    );
  });

  test('show tells a session step by step, by the beginning of its name', () => {
    const { status, stdout } = unrut(home, 'show', '3f2a91bc-1');
    expect(status).toBe(0);
    expect(stdout).toMatch(
      /^claude-code in project, .*: 6 steps, 1 loop,\s+\d steps\s+wasted, 4 plans; 3\s+persisted\./,
    );
    expect(stdout).toMatch(
      / {3}4 {2}[\d:]+ {2}npm test {2}blocked by Unrut\n +→ block by refuse-repeat: Unrut \(loop guard\) did not run `npm test`/,
    );
    expect(stdout).toContain('▲ repeated-call (consecutive, 3× since step 0, note)');
    const { session, moments } = JSON.parse(unrut(home, 'show', '3f2a91bc-1', '--json').stdout);
    expect(session).toMatchObject({ session: '3f2a91bc-1111', steps: 6 });
    expect(moments).toHaveLength(6);
  });

  test('a beginning that several sessions share is one line and 2', () => {
    const { status, stderr } = unrut(home, 'show', '3f2a');
    expect({ status, lines: stderr.length }).toEqual({ status: 2, lines: 1 });
    expect(stderr[0]).toContain('2 sessions begin with 3f2a');
  });

  test('log prints entries a line each, and can be narrowed', () => {
    expect(linesOf(unrut(home, 'show', '--log', '--last', '5').stdout)).toHaveLength(5);
    const plans = linesOf(
      unrut(home, 'show', '--log', '--session', '3f2a91bc-1', '--kind', 'plan').stdout,
    );
    expect(plans.map((line) => /→ (\w+) by/.exec(line)?.[1])).toEqual([
      'note',
      'hint',
      'block',
      'escalate',
    ]);
    const old = linesOf(unrut(home, 'show', '--log', '--json', '--since', '30m').stdout).map(
      (line) => JSON.parse(line),
    );
    expect(new Set(old.map(({ session }) => session))).toEqual(
      new Set(['3f2a91bc-1111', 'another']),
    );
    expect(unrut(home, 'show', '--log', '--kind', 'fault').stdout).toBe('No matching entries.\n');
  });

  test('show without a name tells the newest session', () => {
    expect(unrut(home, 'show').stdout).toBe(unrut(home, 'show', 'another').stdout);
    expect(unrut(home, 'show').stdout).toContain('Session another');
  });

  test('stats counts', () => {
    const { status, stdout } = unrut(home, 'stats');
    expect(status).toBe(0);
    expect(stdout).toMatch(/^3 sessions, 10 steps: 2 loops in 2 sessions\. 5 plans\./);
    expect(JSON.parse(unrut(home, 'stats', '--json', '--since', '1h').stdout)).toMatchObject({
      sessions: 2,
      steps: 9,
    });
  });
});

test('log says that there are more entries than it shows, and how to see them', async () => {
  const home = newFolder();
  const ledger = createSqliteLedger({ path: join(home, 'ledger.db') });
  const start = Date.now() - 1000;
  const entry = (n: number): LedgerEntry => ({
    id: `e${n}`,
    session: 's',
    at: start + n,
    kind: 'fault',
    step: n,
    data: { where: 'x', message: 'y' },
  });
  await ledger.append(Array.from({ length: 50 }, (_, n) => entry(n)));
  expect(unrut(home, 'show', '--log')).toMatchObject({ status: 0, stderr: [] });
  await ledger.append([entry(50)]);
  await ledger.close();
  expect(unrut(home, 'show', '--log').stderr).toEqual([
    'The newest 50 entries; --last 500 shows more.',
  ]);
  expect(unrut(home, 'show', '--log', '--last', '50').stderr).toEqual([]);
  expect(linesOf(unrut(home, 'show', '--log', '--last', '500').stdout)).toHaveLength(51);
});

test('forget deletes sessions by name, or all, and says what went', async () => {
  const home = newFolder();
  await fill(home);
  expect(unrut(home, 'ledger', 'forget', '3f2a91bc-2').stdout).toMatch(
    /^Deleted 3f2a91bc-2222: \d events\.\n$/,
  );
  expect(unrut(home, 'ledger', 'forget', '3f2').stdout).toContain('Deleted 3f2a91bc-1111');
  expect(unrut(home, 'ledger', 'forget', '--all')).toMatchObject({
    status: 64,
    stderr: [expect.stringContaining('add --yes.')],
  });
  expect(unrut(home, 'ledger', 'forget', '--all', '--yes').stdout).toBe(
    'Deleted everything: 1 session.\n',
  );
  expect(unrut(home, 'show', '--list').stdout).toContain('Nothing has been recorded in');
});

test('forget deletes what a run keeps next to its session too', async () => {
  const home = newFolder();
  await fill(home);
  const beside = ['another\u0001run', 'another\u0001tasks'];
  const states = async (change?: string): Promise<unknown[]> => {
    const ledger = createSqliteLedger({ path: join(home, 'ledger.db') });
    for (const name of beside) if (change !== undefined) await ledger.saveState(name, change);
    const found = await Promise.all(beside.map((name) => ledger.loadState(name)));
    await ledger.close();
    return found;
  };
  expect(await states('what was tried')).toEqual(['what was tried', 'what was tried']);
  expect(unrut(home, 'ledger', 'forget', 'another').status).toBe(0);
  expect(await states()).toEqual([null, null]);
});
