import { statSync } from 'node:fs';
import { createSqliteLedger } from '@unrut/ledger/sqlite';
import { describe, expect, test } from 'vitest';
import type { Ledger, LedgerEntry } from '../packages/cli/src/index.ts';
import { newPath } from './ledger-files.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const MEGABYTE = 2 ** 20;

const eventOf = (session: string, number: number, data: LedgerEntry['data'] = {}): LedgerEntry => ({
  id: `${session}/${number}`,
  session,
  at: number,
  kind: 'event',
  step: number,
  data,
});

const write = (
  ledger: Ledger,
  session: string,
  entries = [eventOf(session, 0)],
): Promise<number[]> => ledger.update([session], () => ({ states: [session], entries }));

const namesOf = async (ledger: Ledger): Promise<string> =>
  (await ledger.sessions())
    .map(({ session }) => session)
    .sort()
    .join(' ');

describe('by age', () => {
  test('a session goes 30 days after the last write, with all that belongs to it; what events say of the time does not matter', async () => {
    let time = 100 * DAY;
    const ledger = createSqliteLedger({ path: newPath(), now: () => time });
    await write(ledger, 'old');
    await write(ledger, 'busy');
    time += 29 * DAY;
    await write(ledger, 'busy', [eventOf('busy', 1)]);
    expect(await namesOf(ledger)).toBe('busy old');
    time += DAY + HOUR;
    await write(ledger, 'new');
    expect(await namesOf(ledger)).toBe('busy new');
    expect([await ledger.loadState('old'), await ledger.entries({ session: 'old' })]).toEqual([
      null,
      [],
    ]);
    expect([
      await ledger.loadState('busy'),
      (await ledger.entries({ session: 'busy' })).length,
    ]).toEqual(['busy', 2]);
    await ledger.close();
  });

  test('is looked at once an hour, also by processes that live for one write only', async () => {
    const path = newPath();
    const writeAt = async (time: number, session: string): Promise<string> => {
      const ledger = createSqliteLedger({ path, now: () => time, retention: { days: 1 } });
      await write(ledger, session);
      const names = await namesOf(ledger);
      await ledger.close();
      return names;
    };
    expect(await writeAt(100 * DAY, 'a')).toBe('a');
    expect(await writeAt(101 * DAY - 60_000, 'b')).toBe('a b');
    expect(await writeAt(101 * DAY + 60_000, 'c')).toBe('a b c');
    expect(await writeAt(101 * DAY + HOUR, 'd')).toBe('b c d');
  });

  test('is looked at again when the clock was set back', async () => {
    let time = 900 * DAY;
    const ledger = createSqliteLedger({ path: newPath(), now: () => time, retention: { days: 1 } });
    await ledger.saveState('future', 1);
    time = 100 * DAY;
    await write(ledger, 'a');
    time += 2 * DAY;
    await write(ledger, 'b');
    expect(await namesOf(ledger)).toBe('b');
    await ledger.close();
  });
});

describe('by size', () => {
  /** 50 entries of 2 KB each, a tenth of a megabyte. */
  const tenth = (session: string, from = 0): LedgerEntry[] =>
    Array.from({ length: 50 }, (_, i) => eventOf(session, from + i, { text: 'x'.repeat(2000) }));

  test('the sessions that were not touched for longest go, and the file shrinks', async () => {
    const path = newPath();
    let time = 100 * DAY;
    const now = (): number => ++time;
    const roomy = createSqliteLedger({ path, now });
    for (let i = 10; i < 60; i++) await write(roomy, `s${i}`, tenth(`s${i}`));
    await roomy.saveState('s10', 'touched again');
    await roomy.close();
    expect(statSync(path).size).toBeGreaterThan(5 * MEGABYTE);

    const tight = createSqliteLedger({ path, now, retention: { megabytes: 2 } });
    // Much work is done bit by bit, with each write some of it.
    for (let i = 60; i < 64; i++) await write(tight, `s${i}`, tenth(`s${i}`));
    const names = (await namesOf(tight)).split(' ');
    await tight.close();
    expect(statSync(path).size).toBeLessThanOrEqual(2 * MEGABYTE);
    expect(names.length).toBeGreaterThan(10);
    const newest = Array.from({ length: 54 }, (_, i) => `s${i + 10}`).slice(-names.length + 1);
    expect(names).toEqual(['s10', ...newest]);
  });

  test('pieces of messages go with their session, and with its entries', async () => {
    const path = newPath();
    const ledger = createSqliteLedger({ path, retention: { megabytes: 1 } });
    const pieces = (session: string, from: number): LedgerEntry[] =>
      Array.from({ length: 1000 }, (_, i) => ({
        ...eventOf(session, from + i),
        id: `${session}//hash${from + i}/event`,
        kind: 'piece',
      }));
    for (let i = 0; i < 60; i++) {
      await ledger.update(['s'], () => ({ states: ['s'], once: pieces('s', i * 1000) }));
      expect(statSync(path).size).toBeLessThan(2 * MEGABYTE);
    }
    expect(await ledger.sessions()).toMatchObject([{ session: 's', events: 60_000 }]);
    await ledger.update(['s2'], () => ({ states: ['s2'], once: pieces('s2', 0) }));
    await ledger.forget('s');
    const left = await ledger.entries({ under: ['s/', 's2/'] });
    expect([...new Set(left.map(({ session }) => session)), left.length]).toEqual(['s2', 1000]);
    await ledger.close();
  });

  test('stays within bounds however long one session continues, which loses its oldest entries and never its state', async () => {
    const path = newPath();
    const ledger = createSqliteLedger({ path, retention: { megabytes: 3 } });
    for (let i = 0; i < 80; i++) {
      await write(ledger, 's', tenth('s', i * 50));
      expect(statSync(path).size).toBeLessThan(4 * MEGABYTE);
    }
    const kept = await ledger.entries();
    expect(kept.at(-1)?.step).toBe(3999);
    expect(kept.map(({ step }) => step)).toEqual(kept.map((_, i) => 4000 - kept.length + i));
    expect(kept.length).toBeGreaterThan(500);
    expect(await ledger.loadState('s')).toBe('s');
    expect(await ledger.sessions()).toMatchObject([{ session: 's', events: 4000 }]);
    await ledger.close();
    expect(statSync(path).size).toBeLessThanOrEqual(3 * MEGABYTE);
  });
});
