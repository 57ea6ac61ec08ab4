import { createAdaptorServer } from '@hono/node-server';
import { Hono } from 'hono';
import pg from 'pg';

// The least that a server of this stack can do with events: read the JSON, insert it, and answer.
const pool = new pg.Pool({ connectionString: process.env.UNRUT_LEDGER, max: 10 });
await pool.query(
  'CREATE TABLE IF NOT EXISTS bare (at timestamptz NOT NULL DEFAULT now(), data json NOT NULL)',
);
const app = new Hono();
app.post('/v1/events', async (context) => {
  const events: unknown = await context.req.json();
  await pool.query({
    name: 'bare',
    text: 'INSERT INTO bare (data) VALUES ($1)',
    values: [JSON.stringify(events)],
  });
  return context.json({ verdicts: [] });
});
const server = createAdaptorServer({ fetch: app.fetch });
server.listen(0, '127.0.0.1', () =>
  console.log(
    `Listening on http://127.0.0.1:${(server.address() as { port: number }).port}, recording`,
  ),
);
