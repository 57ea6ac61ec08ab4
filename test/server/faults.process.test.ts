import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { AgentEvent } from '@unrut/engine/event';
import { createSqliteLedger } from '@unrut/ledger/sqlite';
import type { SessionsAnswer } from '@unrut/server/api/answers';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { bundledPrograms } from '../bundled-programs.ts';
import { collectedHeap } from '../collected-heap.ts';
import { newFolder, newPath } from '../ledger-files.ts';
import { keptSteps } from './kept-steps.ts';
import { ask } from './request.ts';
import { lookup, served, startProgram, tellEvents } from './served.ts';

const { cli } = bundledPrograms();
afterEach(() => void vi.restoreAllMocks());

const get = (url: string) => ask(url, { method: 'GET' });
const send = (url: string, events: AgentEvent[]) =>
  ask(`${url}/v1/events`, { body: JSON.stringify(events) });
const worked = (i: number, session = `s${i % 3}`): AgentEvent =>
  lookup(i, { session, result: `Order ${i} was shipped on day ${i}.` });

async function until(url: string, status: number): Promise<void> {
  while ((await get(url)).status !== status)
    await new Promise((resolve) => setTimeout(resolve, 100));
}

/** What was acknowledged is there once, and the guards know as many steps. */
async function expectKept(path: string, events: readonly AgentEvent[]): Promise<void> {
  const ledger = createSqliteLedger({ path });
  const entries = await ledger.entries({ kind: 'event' });
  expect(entries).toHaveLength(events.length);
  expect(new Set(entries.map(({ id }) => id)).size).toBe(events.length);
  for (const { session, events: count } of await ledger.sessions())
    expect(await keptSteps(ledger, session)).toBe(count);
  await ledger.close();
}

const canLimit = spawnSync('prlimit', ['--version']).status === 0;

test.runIf(canLimit)(
  'a full disk: 503 and a red /readyz, nothing half kept, and it continues when there is room',
  async () => {
    const home = newFolder();
    const path = join(home, 'ledger.db');
    const { url, pid } = await startProgram(cli, home);
    const kept: AgentEvent[] = [];
    const left: AgentEvent[] = [];
    const take = async (i: number): Promise<boolean> => {
      const { status } = await send(url, [worked(i)]);
      expect([200, 503]).toContain(status);
      (status === 200 ? kept : left).push(worked(i));
      return status === 200;
    };
    for (let i = 0; i < 5; i++) expect(await take(i)).toBe(true);
    const size = Math.max(statSync(path).size, statSync(`${path}-wal`).size) + 200_000;
    spawnSync('prlimit', ['--pid', String(pid), `--fsize=${size}:unlimited`]);
    let i = 5;
    while (left.length < 20) await take(i++);
    await until(`${url}/readyz`, 503);
    expect((await get(`${url}/livez`)).status).toBe(200);
    spawnSync('prlimit', ['--pid', String(pid), '--fsize=unlimited:unlimited']);
    await until(`${url}/readyz`, 200);
    expect((await send(url, left)).status).toBe(200);
    await expectKept(path, [...kept, ...left]);
  },
);

test('a lock that somebody holds: 503 and a red /readyz, then it continues', async () => {
  const home = newFolder();
  const path = join(home, 'ledger.db');
  const { url } = await startProgram(cli, home);
  expect((await send(url, [worked(0)])).status).toBe(200);
  const other = new DatabaseSync(path);
  other.exec('BEGIN IMMEDIATE');
  expect((await send(url, [worked(1)])).status).toBe(503);
  expect((await get(`${url}/readyz`)).status).toBe(503);
  other.exec('ROLLBACK');
  other.close();
  await until(`${url}/readyz`, 200);
  expect((await send(url, [worked(1)])).status).toBe(200);
  await expectKept(path, [worked(0), worked(1)]);
});

test('two servers on one ledger: all is kept once, both agree, and a loop sent to both in turn is found', async () => {
  const home = newFolder();
  const urls = [(await startProgram(cli, home)).url, (await startProgram(cli, home)).url];
  const events = Array.from({ length: 60 }, (_, i) => worked(i));
  const statuses = await Promise.all(events.map((event, i) => send(urls[i % 2]!, [event])));
  const again = events.filter((_, i) => statuses[i]!.status !== 200);
  for (const event of again) expect((await send(urls[0]!, [event])).status).toBe(200);
  const verdicts = [];
  for (let i = 0; i < 4; i++)
    verdicts.push(...(await tellEvents(urls[i % 2]!, lookup(i, { session: 'loop' }))));
  expect(verdicts.map(({ signals }) => signals.length > 0)).toEqual([false, false, true, true]);
  const totals = await Promise.all(
    urls.map(async (url) =>
      (JSON.parse((await get(`${url}/v1/sessions`)).text) as SessionsAnswer).sessions
        .map(({ session, steps }) => [session, steps])
        .sort(),
    ),
  );
  expect(totals[0]).toEqual(totals[1]);
  await expectKept(join(home, 'ledger.db'), [
    ...events,
    ...Array.from({ length: 4 }, (_, i) => lookup(i, { session: 'loop' })),
  ]);
});

describe('a clock that is set back by an hour', () => {
  const HOUR = 3_600_000;
  const setBack = (): void => {
    const { now } = Date;
    vi.spyOn(Date, 'now').mockImplementation(() => now() - HOUR);
  };

  test('loses no event and counts none twice', async () => {
    const path = newPath();
    const { url } = await served(path);
    const event = (i: number): AgentEvent => ({ ...worked(i), at: Date.now() });
    const before = [0, 1, 2, 3, 4].map(event);
    await tellEvents(url, before);
    setBack();
    await tellEvents(url, [5, 6, 7].map(event));
    const [repeated] = await tellEvents(url, before.slice(0, 1));
    expect(repeated!.repeated).toBe(true);
    expect((await get(`${url}/readyz`)).status).toBe(200);
    await expectKept(
      path,
      Array.from({ length: 8 }, (_, i) => worked(i)),
    );
  });
});

test('memory stays flat over thousands of events', async () => {
  const { url } = await served(newPath());
  let made = 0;
  const sendMany = async (count: number): Promise<number> => {
    for (let sent = 0; sent < count; sent += 500)
      await tellEvents(
        url,
        Array.from({ length: 500 }, () => worked(made++, `s${made % 50}`)),
      );
    return collectedHeap();
  };
  const warm = await sendMany(3000);
  const later = await sendMany(6000);
  expect(later - warm).toBeLessThan(8 << 20);
});
