import type { Ledger } from '@unrut/ledger/ledger';
import { createSqliteLedger } from '@unrut/ledger/sqlite';
import { describe, expect, test } from 'vitest';
import { type AgentEvent, createMemoryLedger } from '../../packages/cli/src/index.ts';
import { newPath } from '../ledger-files.ts';
import { keptSteps } from './kept-steps.ts';
import { lookup, served, tellEvents } from './served.ts';

const looks = (count: number) => Array.from({ length: count }, (_, i) => lookup(i));

/** All that a repetition must leave as it is. */
const recorded = async (ledger: Ledger) => ({
  state: await ledger.loadState('s'),
  entries: await ledger.entries(),
});

describe.each([
  ['in memory', createMemoryLedger],
  ['in a file', () => createSqliteLedger({ path: newPath() })],
])('an event that comes again, with a ledger %s,', (_, open) => {
  test('changes nothing and gets the verdict that it got', async () => {
    const { url, ledger } = await served('', { ledger: open() });
    const verdicts = await tellEvents(url, looks(8));
    expect(
      verdicts.some(({ plan }) => plan !== null) &&
        verdicts.some(({ outcomes }) => outcomes.length > 0),
    ).toBe(true);
    const before = await recorded(ledger);
    const again = [
      ...(await tellEvents(url, looks(4))),
      ...(await tellEvents(url, [lookup(4), lookup(5)])),
    ];
    for (const i of [6, 7]) again.push(...(await tellEvents(url, lookup(i))));
    expect(again).toEqual(verdicts.map((verdict) => ({ ...verdict, repeated: true })));
    expect(await recorded(ledger)).toEqual(before);
  });

  test('counts once, even in one batch or among new ones', async () => {
    const { url, ledger } = await served('', { ledger: open() });
    const verdicts = await tellEvents(url, [lookup(0), lookup(1), lookup(0), lookup(1), lookup(2)]);
    expect(verdicts.map(({ repeated = false, step }) => [step, repeated])).toEqual([
      [0, false],
      [1, false],
      [0, true],
      [1, true],
      [2, false],
    ]);
    expect(await keptSteps(ledger, 's')).toBe(3);
  });

  test('counts once however long ago it was', async () => {
    const { url, ledger } = await served('', { ledger: open() });
    // More than the guard itself remembers.
    const verdicts = await tellEvents(url, looks(300));
    const again = await tellEvents(url, [lookup(0), lookup(300), lookup(5), lookup(301)]);
    expect(again.map(({ repeated = false, step }) => [step, repeated])).toEqual([
      [0, true],
      [300, false],
      [5, true],
      [301, false],
    ]);
    expect(again[2]).toEqual({ ...verdicts[5], repeated: true });
    expect(await keptSteps(ledger, 's')).toBe(302);
    expect((await ledger.entries({ kind: 'event' })).length).toBe(302);
  });

  test('gets the plan of shadow mode as that', async () => {
    const { url } = await served('', { ledger: open() });
    const verdicts = await tellEvents(url, looks(5), '?shadow=1');
    expect(await tellEvents(url, looks(5))).toEqual(
      verdicts.map((verdict) => ({ ...verdict, repeated: true })),
    );
  });

  test('counts once also when it was a piece of a message first, and is its end now', async () => {
    const { url, ledger } = await served('', { ledger: open() });
    const piece: AgentEvent = {
      type: 'text-added',
      session: 's',
      at: lookup(0).at,
      id: 'm1',
      channel: 'answer',
      text: 'So.',
    };
    await tellEvents(url, piece);
    for (const later of [[], looks(200)]) {
      await tellEvents(url, later);
      const before = (await ledger.sessions())[0];
      expect(await tellEvents(url, { ...piece, done: true, cost: { tokens: 7 } })).toMatchObject([
        { repeated: true, step: 0 },
      ]);
      expect((await ledger.sessions())[0]).toEqual(before);
      expect((await ledger.entries({ kind: 'event' })).map(({ data }) => data.type)).not.toContain(
        'text-added',
      );
    }
  });

  test('counts each time where it has no id', async () => {
    const { url, ledger } = await served('', { ledger: open() });
    const { id: _, ...event } = lookup(0);
    await tellEvents(url, [event, event]);
    await tellEvents(url, event);
    expect(await keptSteps(ledger, 's')).toBe(3);
    expect((await ledger.entries({ kind: 'event' })).length).toBe(3);
  });
});

test('two servers on one ledger count an event once, and judge as one', async () => {
  const path = newPath();
  const servers = [await served(path), await served(path)];
  const verdicts = [];
  for (let i = 0; i < 6; i++) {
    const [first, second] = await Promise.all(servers.map(({ url }) => tellEvents(url, lookup(i))));
    expect([first![0]!.repeated, second![0]!.repeated].filter(Boolean)).toEqual([true]);
    verdicts.push(first![0]!);
  }
  expect(verdicts.map(({ step }) => step)).toEqual([0, 1, 2, 3, 4, 5]);
  const { ledger } = servers[0]!;
  expect((await ledger.sessions())[0]!.events).toBe(6);
  expect(await keptSteps(ledger, 's')).toBe(6);
});
