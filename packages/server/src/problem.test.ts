import { Hono } from 'hono';
import { expect, test } from 'vitest';
import { problem, refusalOf } from './problem.ts';

test.each([
  [
    'the events could not be recorded: [postgres] Cannot use db.internal:5432/unrut: connect ECONNREFUSED 10.1.2.3:5432. Try again; if it stays so, check that it is up. Send them again, with their ids.',
    'the events could not be recorded: its database cannot be used now, and its log says why. Send them again, with their ids.',
  ],
  [
    '[postgres] Cannot use db.internal:5432/unrut: permission denied for table states.',
    'its database cannot be used now, and its log says why.',
  ],
])('where the database is stays in the log', async (message, told) => {
  let logged: string | undefined;
  const app = new Hono().get('/', (context) => {
    const answer = problem(context, 503, 'ledger-unusable', message);
    logged = refusalOf(context)?.detail;
    return answer;
  });
  const body = (await (await app.request('/')).json()) as { detail: string; error: object };
  expect(body).toMatchObject({ detail: told, error: { message: told } });
  expect(logged).toContain('db.internal:5432/unrut');
});

test('an error names what is wrong with a file', async () => {
  const message = 'Cannot use ledger.db: the disk is full.';
  const app = new Hono().get('/', (context) => problem(context, 503, 'ledger-unusable', message));
  expect(await (await app.request('/')).json()).toMatchObject({ detail: message });
});
