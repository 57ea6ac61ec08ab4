import { Hono } from 'hono';
import { expect, test, vi } from 'vitest';
import { leaveHanging } from './leave-hanging.ts';
import { noLog } from './log.ts';

/** A server whose ledger hangs until it is released. */
function hangingServer() {
  const ledger = { hangs: false, asked: 0, tries: 0 };
  const free = Promise.withResolvers<void>();
  const tried = Promise.withResolvers<undefined>();
  const app = new Hono();
  const tryWrite = () => {
    ledger.tries++;
    return tried.promise;
  };
  app.use(leaveHanging({ tryWrite, log: noLog, longest: 50 }));
  app.post('*', async (context) => {
    ledger.asked++;
    if (ledger.hangs) await free.promise;
    return context.json({ answered: true });
  });
  const post = async (path: string) => (await app.request(path, { method: 'POST' })).json();
  return { ledger, free, tried, post };
}

test('one hook waits for a ledger that hangs; the next say nothing at once, until it can be written', async () => {
  const { ledger, free, tried, post } = hangingServer();
  const hook = () => post('/v1/hooks/claude-code');
  expect(await hook()).toEqual({ answered: true });
  ledger.hangs = true;
  expect(await hook()).toEqual({});
  for (let i = 0; i < 3; i++) expect(await hook()).toEqual({});
  expect(ledger).toMatchObject({ asked: 2, tries: 1 });
  ledger.hangs = false;
  free.resolve();
  tried.resolve(undefined);
  await vi.waitFor(async () => expect(await hook()).toEqual({ answered: true }));
});

test('others wait as long as it takes', async () => {
  const { ledger, free, post } = hangingServer();
  ledger.hangs = true;
  expect(await post('/v1/hooks/claude-code')).toEqual({});
  const answer = post('/v1/events');
  free.resolve();
  expect(await answer).toEqual({ answered: true });
});
