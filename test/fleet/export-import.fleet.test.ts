import { execFile, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { LedgerEntry } from '@unrut/ledger/ledger';
import { createRecorder } from '@unrut/ledger/recorder';
import { createSqliteLedger } from '@unrut/ledger/sqlite';
import { createPostgresLedger } from '@unrut/postgres';
import { expect, test } from 'vitest';
import { bundledPrograms } from '../bundled-programs.ts';
import { newPath } from '../ledger-files.ts';
import { query } from './databases.ts';
import { sharedDatabases } from './fleet-databases.ts';
import { eventOf } from './load.ts';

const ROOT = join(import.meta.dirname, '../..');

/** `unrut` on a database. */
async function unrut(ledger: string, ...args: string[]): Promise<string> {
  const options = { cwd: ROOT, env: { ...process.env, UNRUT_LEDGER: ledger }, maxBuffer: 1 << 26 };
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [bundledPrograms().cli, ...args],
    options,
  );
  return stdout;
}

const linesIn = (text: string): LedgerEntry[] =>
  text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as LedgerEntry);

const byId = (entries: readonly LedgerEntry[]): LedgerEntry[] =>
  entries.toSorted((a, b) => (a.id < b.id ? -1 : 1));

test('a ledger in SQLite is copied with its states, and again changes nothing; what is exported is what was recorded', async () => {
  const path = newPath();
  const sqlite = createSqliteLedger({ path });
  const recorder = createRecorder(sqlite);
  const count = 14;
  for (const [number, session] of ['a', 'b', 'c/d'].entries())
    await recorder.record(Array.from({ length: count }, (_, i) => eventOf(session, number, i)));
  await recorder.record([
    {
      type: 'text-added',
      session: 'a',
      at: 1_790_000_900_000,
      id: 'piece',
      text: 'half',
      channel: 'answer',
    },
  ]);
  await sqlite.append([
    {
      id: 'ledger/x',
      session: '',
      at: 1,
      kind: 'fault',
      step: 0,
      data: { where: 'ledger', message: 'It broke.' },
    },
  ]);
  const { server, superuser } = await sharedDatabases().newDatabase();
  expect(await unrut(server, 'ledger', 'import', path)).toContain('Copied 3 sessions');
  expect(await unrut(server, 'ledger', 'import', path)).toMatch(
    /^Copied 0 sessions with 0 records of \S+\. 3 sessions had been copied before\.$/m,
  );
  const postgres = createPostgresLedger({ url: server });
  expect(byId(await postgres.entries())).toEqual(byId(await sqlite.entries()));
  expect(
    (await postgres.sessions()).map(({ session, events }) => [session, events]).sort(),
  ).toEqual([
    ['a', count + 1],
    ['b', count],
    ['c/d', count],
  ]);
  for (const session of ['a', 'b', 'c/d'])
    expect(await postgres.loadState(session)).toEqual(await sqlite.loadState(session));
  // It resumes, and recognises known events.
  const { value } = await createRecorder(postgres).record([
    eventOf('a', 0, 3),
    eventOf('a', 0, count),
  ]);
  expect(value!.map(({ step, repeated }) => [step, repeated])).toEqual([
    [count, true],
    [count, undefined],
  ]);

  const exported = linesIn(await unrut(server, 'ledger', 'export'));
  expect(byId(exported)).toEqual(
    byId((await postgres.entries()).filter(({ session }) => session !== '')),
  );
  const late = 1_790_000_000_000 + 10 * 5000;
  const since = linesIn(
    await unrut(server, 'ledger', 'export', '--since', new Date(late).toISOString()),
  );
  expect(byId(since)).toEqual(byId(exported.filter(({ at }) => at >= late)));
  expect(since.length).toBeLessThan(exported.length);
  expect(linesIn(await unrut(path, 'ledger', 'export')).length).toBe(
    (await sqlite.entries()).length - 1,
  );
  expect(linesIn(await unrut(server, 'ledger', 'export', '--org', '7'))).toEqual([]);
  expect(
    await query(
      superuser,
      "SELECT org, actor, data ->> 'since' AS since FROM unrut.audit WHERE action = 'exported' ORDER BY at",
    ),
  ).toEqual([
    { org: 1, actor: 'cli', since: '0' },
    { org: 1, actor: 'cli', since: String(late) },
    { org: 7, actor: 'cli', since: '0' },
  ]);
  await postgres.close();
  await sqlite.close();
});

test('a database that cannot be reached is said in one line, without its password', async () => {
  const args = [
    bundledPrograms().cli,
    'ledger',
    'export',
    '--ledger',
    'postgres://unrut:hidden@127.0.0.1:1/unrut',
  ];
  const { status, stderr } = spawnSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8' });
  expect([status, stderr.trim().split('\n').length, stderr.includes('hidden')]).toEqual([
    2,
    1,
    false,
  ]);
});
