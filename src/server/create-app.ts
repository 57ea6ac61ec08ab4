import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import type { Ledger } from '../ledger/ledger.ts';
import { type HookRoute, hookRoute } from './hook-route.ts';
import { problem } from './problem.ts';
import { type Protection, protect } from './protect.ts';

export interface AppOptions extends Protection, HookRoute {
  ledger: Ledger;
  /** Of Unrut, for those who ask whether the server is up. */
  version: string;
  /** Bytes of a body. Default: 32 MB, since results of tools come with hooks. */
  mostBytes?: number;
}

const MOST_BYTES = 32 << 20;

/** The server's routes, apart from any port. */
export function createApp(options: AppOptions): Hono {
  const { ledger, version, mostBytes = MOST_BYTES } = options;
  const app = new Hono();
  app.use(protect(options));
  app.use(
    bodyLimit({
      maxSize: mostBytes,
      onError: (context) =>
        problem(
          context,
          413,
          'too-large',
          `expected a body of at most ${Math.floor(mostBytes / 1024)} KB, got more. It was not looked at.`,
        ),
    }),
  );
  app.get('/healthz', async (context) => {
    try {
      await ledger.loadState('');
      return context.json({ ok: true, version });
    } catch (error) {
      return problem(context, 503, 'ledger-unusable', (error as Error).message);
    }
  });
  app.post('/v1/hooks/:agent', hookRoute(options));
  app.notFound((context) =>
    problem(context, 404, 'not-found', `expected POST /v1/hooks/<agent> or GET /healthz, got ${context.req.method} ${context.req.path}.`),
  );
  app.onError((error, context) => problem(context, 500, 'fault', `something went wrong in Unrut: ${error.message}.`));
  return app;
}
