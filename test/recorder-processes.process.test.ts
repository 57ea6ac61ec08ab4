import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { renameSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { idsUnder } from '@unrut/ledger/record';
import { createRecorder } from '@unrut/ledger/recorder';
import { createSqliteLedger } from '@unrut/ledger/sqlite';
import { expect, test } from 'vitest';
import { newPath } from './ledger-files.ts';
import { keptSteps } from './server/kept-steps.ts';
import { lookup } from './server/lookup.ts';

const PROGRAM = fileURLToPath(new URL('recorder-process.ts', import.meta.url));

/**
 * A process that records some events; `kept` and `lost` have the numbers of those that it has told
 * of.
 */
function start(
  path: string,
  from: number,
  to: number,
  limit = '',
): { child: ChildProcess; kept: number[]; lost: number[]; ended: Promise<unknown> } {
  const command = `${limit} exec "$0" "$@"`;
  const child = spawn(
    'sh',
    ['-c', command, process.execPath, PROGRAM, path, String(from), String(to)],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const told = { kept: [] as number[], lost: [] as number[] };
  let text = '';
  child.stdout!.setEncoding('utf8').on('data', (part: string) => {
    const lines = (text + part).split('\n');
    text = lines.pop()!;
    for (const line of lines) told[line.slice(0, 4) as 'kept' | 'lost'].push(Number(line.slice(5)));
  });
  return { child, ...told, ended: once(child, 'close') };
}

/** Each of the events is in the ledger once, and the state counts each once. */
async function expectOnce(path: string, count: number): Promise<void> {
  const ledger = createSqliteLedger({ path });
  const recorded = (await ledger.entries({ kind: 'event' })).map(({ id }) => id);
  expect(recorded.toSorted()).toEqual(
    Array.from({ length: count }, (_, i) => `${idsUnder(lookup(i), '')}event`).toSorted(),
  );
  expect(await keptSteps(ledger, 's')).toBe(count);
  await ledger.close();
}

test('processes that record the same session at once lose nothing, and count an id that several have once', async () => {
  const path = newPath();
  const processes = [start(path, 0, 30), start(path, 10, 40), start(path, 20, 50)];
  await Promise.all(processes.map(({ ended }) => ended));
  expect(processes.map(({ kept, lost }) => [kept.length, lost.length])).toEqual(
    Array(3).fill([30, 0]),
  );
  await expectOnce(path, 50);
});

test('what was acknowledged before kill -9 is there once', async () => {
  const path = newPath();
  const COUNT = 60;
  let from = 0;
  for (let kill = 1; from < COUNT && kill <= 5; kill++) {
    const { child, kept, ended } = start(path, from, COUNT);
    while (kept.length < 8 && child.exitCode === null)
      await Promise.race([once(child.stdout!, 'data'), ended]);
    child.kill('SIGKILL');
    await ended;
    from = kept.at(-1)! + 1;
    const ledger = createSqliteLedger({ path });
    const there = (await ledger.entries({ kind: 'event' })).length;
    await ledger.close();
    expect(there).toBeGreaterThanOrEqual(from);
    expect(there).toBeLessThanOrEqual(COUNT);
  }
  await start(path, 0, COUNT).ended;
  await expectOnce(path, COUNT);
});

test.skipIf(process.platform === 'win32')(
  'what a full disk refused is not acknowledged, and counts once when it is sent again',
  async () => {
    const path = newPath();
    const COUNT = 60;
    // Files may not grow beyond 1536 blocks of half a kilobyte: for SQLite that is a disk without
    // space.
    const full = start(path, 0, COUNT, 'ulimit -f 1536;');
    await full.ended;
    expect(full.kept.length).toBeGreaterThan(0);
    expect(full.lost.length).toBeGreaterThan(0);
    const ledger = createSqliteLedger({ path });
    expect(await ledger.entries({ kind: 'event' })).toHaveLength(full.kept.length);
    expect(await keptSteps(ledger, 's')).toBe(full.kept.length);
    await ledger.close();
    const after = start(path, 0, COUNT);
    await after.ended;
    expect(after.kept).toHaveLength(COUNT);
    await expectOnce(path, COUNT);
  },
);

test('a ledger that was deleted and begun again by another process knows nothing of before', async () => {
  const path = newPath();
  const [one, other] = [createSqliteLedger({ path }), newPath()];
  const recorder = createRecorder(one, {}, { unsaved: 'drop' });
  await recorder.record([lookup(0)]);
  const anew = createSqliteLedger({ path: other });
  await createRecorder(anew).observe(lookup(1));
  await anew.close();
  for (const end of ['-wal', '-shm']) rmSync(`${path}${end}`, { force: true });
  renameSync(other, path);
  expect((await recorder.record([lookup(0)])).value).toEqual([
    expect.objectContaining({ step: 1 }),
  ]);
  expect(await one.entries({ kind: 'event' })).toHaveLength(2);
  await one.close();
});
