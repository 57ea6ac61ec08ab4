import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { createPostgresLedger, migrateSchema } from '@unrut/postgres';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { expectExact } from './accounts.ts';
import { type LoadResult, startLoad } from './load.ts';
import {
  startPostgres,
  type TestPostgres,
  unprivilegedFolder,
  unprivilegedUser,
} from './postgres.ts';
import { startFleetServer } from './servers.ts';
import { COPIED, canCopy, copyOf } from './standby.ts';

const SESSIONS = 6;

async function expectWhole(
  result: LoadResult,
  postgres: TestPostgres,
  name: string,
): Promise<void> {
  const ledger = createPostgresLedger({ url: postgres.url(name, 'unrut_app') });
  await expectExact(result, postgres.url(name), ledger);
  await ledger.close();
}

/** As docs/fleet.md says: dumped by a superuser, restored by the owner. */
async function restoreDump(postgres: TestPostgres, name: string): Promise<string> {
  const { binaries, port } = postgres;
  const folder = unprivilegedFolder();
  const run = (program: string, ...args: string[]): Buffer =>
    execFileSync(join(binaries, program), ['-h', '127.0.0.1', '-p', String(port), ...args], {
      ...unprivilegedUser(),
      cwd: folder,
      stdio: 'pipe',
    });
  run('pg_dump', '-U', 'postgres', '--format=custom', '--file=unrut.dump', name);
  const restored = await postgres.emptyDatabase();
  run('pg_restore', '-U', 'unrut_owner', `--dbname=${restored}`, '--no-owner', 'unrut.dump');
  const pool = new pg.Pool({ connectionString: postgres.url(restored, 'unrut_owner') });
  await migrateSchema(pool);
  await pool.end();
  return restored;
}

test.runIf(canCopy)(
  'what is restored from a dump, and from a copy, is what was answered; servers go on with it',
  async () => {
    const postgres = await startPostgres({ settings: COPIED });
    onTestFinished(() => postgres.remove());
    const { name, server } = await postgres.newDatabase();
    const { url } = await startFleetServer({ ledger: server });
    const load = startLoad({ urls: [url], sessions: SESSIONS });
    await load.more(SESSIONS * 12);
    const result = await load.stop();

    const restored = await restoreDump(postgres, name);
    await expectWhole(result, postgres, restored);
    const copy = await copyOf(postgres);
    onTestFinished(() => copy.remove());
    await expectWhole(result, copy, name);

    const other = await startFleetServer({ ledger: postgres.url(restored, 'unrut_app') });
    const events = result.sent.get('s0')!;
    const again = await fetch(`${other.url}/v1/events`, {
      method: 'POST',
      body: JSON.stringify(events.slice(-3)),
    });
    const { verdicts } = (await again.json()) as {
      verdicts: { repeated?: boolean; step: number }[];
    };
    expect(verdicts.map(({ repeated, step }) => [repeated, step])).toEqual(
      [-3, -2, -1].map((i) => [true, events.length + i]),
    );
  },
);
