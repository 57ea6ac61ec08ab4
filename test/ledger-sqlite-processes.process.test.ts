import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { text } from 'node:stream/consumers';
import { createSqliteLedger } from '@unrut/ledger/sqlite';
import { describe, expect, test } from 'vitest';
import { bundleWriter, newPath } from './ledger-files.ts';

const WRITER = await bundleWriter();

const start = (path: string, session: string, name: string, times: number): ChildProcess =>
  spawn(process.execPath, [WRITER, path, session, name, `${times}`], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });

/** A writer's error; undefined if it succeeded. */
async function complaintOf(writer: ChildProcess): Promise<string> {
  writer.stdout!.resume();
  const [complaint] = await Promise.all([text(writer.stderr!), once(writer, 'close')]);
  return complaint;
}

/** The count in a session's state, and how many events the record and the summary have. */
async function countsOf(path: string, session: string): Promise<number[]> {
  const ledger = createSqliteLedger({ path });
  const state = (await ledger.loadState(session)) as { count: number } | null;
  const events = (await ledger.entries({ session })).length;
  const summary = (await ledger.sessions()).find((each) => each.session === session);
  await ledger.close();
  return [state?.count ?? 0, events, summary?.events ?? 0];
}

describe('many processes with one ledger', () => {
  const crowds: [string, number, number, (i: number) => string][] = [
    ['8 at once, 150 times each, on one session', 8, 150, () => 's'],
    ['8 at once, 50 times each, on sessions of their own', 8, 50, (i) => `s${i}`],
    ['16 short ones at once on one session', 16, 1, () => 's'],
  ];
  test.each(crowds)('lose nothing: %s', async (_, processes, times, sessionOf) => {
    const path = newPath();
    const numbers = Array.from({ length: processes }, (_, i) => i);
    const complaints = await Promise.all(
      numbers.map((i) => complaintOf(start(path, sessionOf(i), `${i}`, times))),
    );
    expect(complaints.join('')).toBe('');
    const sessions = new Set(numbers.map(sessionOf));
    const expected = (processes * times) / sessions.size;
    for (const session of sessions)
      expect(await countsOf(path, session)).toEqual([expected, expected, expected]);
    expect(readdirSync(dirname(path))).toEqual(['ledger.db']);
  });
});

describe('a process that is killed while it writes', () => {
  /**
   * Kills a writer some moments after its first word; gives the last count that it acknowledged.
   */
  async function killed(path: string, name: string, moments: number): Promise<number> {
    const writer = start(path, 's', name, 1_000_000);
    let said = '';
    writer.stdout!.on('data', (chunk) => {
      if (said === '') setTimeout(() => writer.kill('SIGKILL'), moments);
      said += chunk;
    });
    await once(writer, 'close');
    return Number(said.slice(0, said.lastIndexOf('\n')).split('\n').at(-1));
  }

  /** Prime, so that the moments differ all the time and are the same in every run of the tests. */
  const momentOf = (round: number): number => (round * 7919) % 31;

  test('leaves a ledger that opens, with all that was acknowledged and nothing by halves, 200 times', async () => {
    const rounds = async (path: string): Promise<void> => {
      for (let round = 0; round < 100; round++) {
        const acknowledged = await killed(path, `${round}`, momentOf(round));
        const [count, events, summary] = await countsOf(path, 's');
        expect(count).toBeGreaterThanOrEqual(acknowledged);
        expect([events, summary]).toEqual([count, count]);
      }
      expect(readdirSync(dirname(path))).toEqual(['ledger.db']);
    };
    await Promise.all([rounds(newPath()), rounds(newPath())]);
  });
});
