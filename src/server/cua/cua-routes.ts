import { type Context, Hono } from 'hono';
import { parsed } from '../../json.ts';
import { cut } from '../../text/printable.ts';
import { Refusal } from '../refusal.ts';
import type { CuaRuns } from './cua-runs.ts';
import { readCuaRequest } from './read-cua-request.ts';

/** `POST /v1/cua` and `GET /v1/cua/:id`: computer-use runs, refused as long as nobody has allowed them. */
export function cuaRoutes(runs: CuaRuns | undefined): Hono {
  const app = new Hono();
  app.post('/v1/cua', async (context) => {
    const { hosts, add, ended } = allowed(runs);
    const task = readCuaRequest(parsed(await context.req.text()), hosts);
    const answer = add(task);
    if (!answer) {
      context.header('retry-after', '30');
      throw new Refusal(503, 'queue-full', 'expected fewer runs that wait, got as many as there may be. Try again later.');
    }
    if (context.req.query('wait') === '1') await ended(answer.id);
    context.header('location', `/v1/cua/${answer.id}`);
    return context.json(answer, answer.ended === undefined ? 202 : 200);
  });
  app.get('/v1/cua/:id', (context: Context) => {
    const id = context.req.param('id') ?? '';
    const answer = allowed(runs).get(id);
    if (!answer)
      throw new Refusal(404, 'unknown-run', `expected the id that POST /v1/cua gave, got ${cut(id, 80)}. Old runs are forgotten.`);
    return context.json(answer);
  });
  return app;
}

function allowed(runs: CuaRuns | undefined): CuaRuns {
  if (runs) return runs;
  throw new Refusal(403, 'cua-off', 'expected unrut serve --cua-hosts with the hosts that runs may reach, got none. They are off.');
}
