import type { AgentEvent } from '@unrut/engine/event';
import { createMemoryLedger } from '@unrut/ledger/memory';
import { createRecorder } from '@unrut/ledger/recorder';
import { describe, expect, test } from 'vitest';
import { createQuotas } from './quota.ts';
import { withSessionQuota } from './session-quota.ts';

test('events beyond the share of a server wait until there is room again', () => {
  let now = 0;
  const quotas = createQuotas(
    () => 2,
    () => now,
  );
  const owners = [{ name: 'org', quota: { events: 20 } }];
  // Ten a second, saved up for two.
  expect(quotas.take(owners, 20, 0)).toBeUndefined();
  expect(quotas.take(owners, 5, 0)).toEqual({ of: 'events', wait: 1 });
  now += 500;
  expect(quotas.take(owners, 5, 0)).toBeUndefined();
  expect(quotas.take(owners, 1, 0)).toEqual({ of: 'events', wait: 1 });
  now += 60_000;
  expect(quotas.take(owners, 20, 0)).toBeUndefined();
  expect(quotas.take(owners, 1, 0)).toEqual({ of: 'events', wait: 1 });
});

test('a request larger than all that can be saved up is taken, and the next ones wait for it', () => {
  let now = 0;
  const quotas = createQuotas(
    () => 1,
    () => now,
  );
  const owners = [{ name: 'org', quota: { events: 10 } }];
  expect(quotas.take(owners, 100, 0)).toBeUndefined();
  expect(quotas.take(owners, 1, 0)).toEqual({ of: 'events', wait: 9 });
  now += 9000;
  expect(quotas.take(owners, 1, 0)).toBeUndefined();
});

test('what one owner refuses counts for none of the others', () => {
  const quotas = createQuotas(
    () => 1,
    () => 0,
  );
  const org = { name: 'org', quota: { events: 10 } };
  const key = { name: 'key', quota: { events: 1 } };
  expect(quotas.take([org, key], 2, 0)).toBeUndefined();
  expect(quotas.take([org, key], 1, 0)).toEqual({ of: 'events', wait: 1 });
  expect(quotas.take([org], 18, 0)).toBeUndefined();
  expect(quotas.take([org], 1, 0)).toEqual({ of: 'events', wait: 1 });
  expect(quotas.take([{ name: 'none', quota: undefined }], 1_000_000, 0)).toBeUndefined();
});

test('bytes of a day are counted until the day is over', () => {
  let now = 86_400_000 * 3 - 1000;
  const quotas = createQuotas(
    () => 1,
    () => now,
  );
  const owners = [{ name: 'project', quota: { bytes: 100 } }];
  expect(quotas.take(owners, 1, 60)).toBeUndefined();
  expect(quotas.take(owners, 1, 60)).toEqual({ of: 'bytes', wait: 300 });
  now += 2000;
  expect(quotas.take(owners, 1, 60)).toBeUndefined();
});

describe('a quota of new sessions', () => {
  const event = (session: string): AgentEvent => ({
    type: 'user-spoke',
    session,
    at: 1,
    text: 'x',
  });

  test('refuses new sessions with its reason, and lets those continue that run', async () => {
    const memory = createMemoryLedger();
    const today = async () => ({ sessions: (await memory.sessions()).length });
    const ledger = withSessionQuota(memory, { today }, async () => [{ of: 'shop', most: 2 }]);
    const recorder = createRecorder(ledger);
    const sent = await Promise.all(
      ['a', 'b', 'c', 'd'].map((session) => recorder.record([event(session)])),
    );
    expect(sent.filter(({ error }) => error === undefined).length).toBe(2);
    const refused = sent.find(({ error }) => error !== undefined)!;
    expect(String(refused.error)).toMatch(/quota of 2 new sessions a day of shop is used up/);
    const [running] = await memory.sessions();
    expect((await recorder.record([event(running!.session)])).error).toBeUndefined();
    expect((await memory.sessions()).length).toBe(2);
  });

  test('of nobody refuses nothing', async () => {
    const memory = createMemoryLedger();
    const ledger = withSessionQuota(
      memory,
      { today: async () => ({ sessions: 9 }) },
      async () => [],
    );
    expect((await createRecorder(ledger).record([event('a')])).error).toBeUndefined();
  });
});
