import type { LedgerEntry } from '@unrut/ledger/ledger';
import { createSqliteLedger } from '@unrut/ledger/sqlite';
import { openReading } from '@unrut/server/api/reading';
import { makeKey } from '@unrut/server/keys';
import { afterAll, expect, test } from 'vitest';
import { newPath } from '../ledger-files.ts';
import { ask } from './request.ts';
import { record } from './seeded-ledger.ts';
import { served } from './served.ts';

const HOUR = 3_600_000;
const closing: (() => unknown)[] = [];
afterAll(async () => {
  for (const close of closing) await close();
});

/** A server with sessions of some lines each, the newest first. */
async function serverWith(sessions: number, more: object = {}) {
  const path = newPath();
  const ledger = createSqliteLedger({ path });
  for (let i = 0; i < sessions; i++)
    await record(ledger, {
      session: `session-${i}`,
      lines: [`Bash {"command":"ls ${i}"} -> "file-${i}" x3`],
      until: Date.now() - i * HOUR,
    });
  const reading = openReading(ledger);
  closing.push(reading.close);
  const reads = { reading, settings: () => expect.unreachable() };
  const { url } = await served(path, { ledger, reads, ...more });
  return { url, ledger };
}

const entriesIn = (text: string): LedgerEntry[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
const byId = (entries: readonly LedgerEntry[]): LedgerEntry[] =>
  [...entries].sort((one, other) => (one.id < other.id ? -1 : 1));

test('an export has every entry of the ledger once, session by session', async () => {
  const { url, ledger } = await serverWith(220);
  const { status, headers, text } = await ask(`${url}/v1/export`, { method: 'GET' });
  expect([status, headers['content-type']]).toEqual([200, 'application/x-ndjson; charset=utf-8']);
  const entries = entriesIn(text);
  expect(byId(entries)).toEqual(byId(await ledger.entries()));
  const changes = entries.filter(({ session }, i) => session !== entries[i - 1]?.session);
  expect(changes).toHaveLength(220);
  for (const [i, { at, session }] of entries.entries())
    if (entries[i - 1]?.session === session) expect(at).toBeGreaterThanOrEqual(entries[i - 1]!.at);
});

test('an export since a time has the entries from then on', async () => {
  const { url, ledger } = await serverWith(5);
  const since = Date.now() - 2.5 * HOUR;
  const { text } = await ask(`${url}/v1/export?since=${Math.round(since)}`, { method: 'GET' });
  const expected = (await ledger.entries()).filter(({ at }) => at >= Math.round(since));
  expect(expected.length).toBeGreaterThan(0);
  expect(byId(entriesIn(text))).toEqual(byId(expected));
});

test('an export needs a key that may read', async () => {
  const { url, ledger } = await serverWith(1, { needsKey: true });
  const keyFor = async (scope: 'ingest' | 'read'): Promise<string> => {
    const { key, stored } = makeKey({ name: '', scopes: [scope], expires: undefined }, Date.now());
    await ledger.keys!.add(stored);
    return key;
  };
  const bearers = [await keyFor('read'), await keyFor('ingest'), ''];
  const statuses = bearers.map(async (bearer) => {
    const headers = { authorization: `Bearer ${bearer}` };
    return (await ask(`${url}/v1/export`, { method: 'GET', headers })).status;
  });
  expect(await Promise.all(statuses)).toEqual([200, 403, 401]);
});
