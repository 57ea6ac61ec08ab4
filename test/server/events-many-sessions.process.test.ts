import { createClient } from '@unrut/adapters/client';
import { expect, test } from 'vitest';
import { newPath } from '../ledger-files.ts';
import { lookup, served, tellEvents } from './served.ts';

const TIMEOUT_MS = 15_000;

test.each([7, 8, 9, 100])(
  'one request with %i sessions is answered, and so is the next',
  { timeout: TIMEOUT_MS },
  async (count) => {
    const { url, ledger } = await served(newPath());
    const events = Array.from({ length: count }, (_, i) => lookup(i, { session: `s${i}` }));
    expect(await tellEvents(url, events)).toHaveLength(count);
    expect(await tellEvents(url, lookup(0, { session: 'after' }))).toHaveLength(1);
    expect(await ledger.sessions()).toHaveLength(count + 1);
  },
);

test('one client with twelve sessions at once gets a verdict for every event', {
  timeout: TIMEOUT_MS,
}, async () => {
  const { url, ledger } = await served(newPath());
  const client = createClient({ url, timeout: TIMEOUT_MS });
  const events = Array.from({ length: 60 }, (_, i) => lookup(i, { session: `s${i % 12}` }));
  const verdicts = await Promise.all(events.map((event) => client.observe(event)));
  await client.close();
  expect(verdicts.flatMap(({ faults }) => faults)).toEqual([]);
  expect((await ledger.sessions()).map((session) => session.events)).toEqual(Array(12).fill(5));
});
