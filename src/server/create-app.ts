import { Hono } from 'hono';
import type { LoadedSettings } from '../config/load-settings.ts';
import { UnrutError } from '../errors.ts';
import type { Gateway } from '../gateway/gateway.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { createRecorder } from '../ledger/recorder.ts';
import { errorReason } from '../redact/reason.ts';
import { cut } from '../text/printable.ts';
import type { StreamOptions } from './api/entry-stream.ts';
import { readRoutes } from './api/read-routes.ts';
import type { LedgerReading } from './api/reading.ts';
import { checkHost, type HostCheck } from './check-host.ts';
import { cuaRoutes } from './cua/cua-routes.ts';
import type { CuaRuns } from './cua/cua-runs.ts';
import { dashboard } from './dashboard.ts';
import { eventsRoute } from './events/events-route.ts';
import { gatewayRoute } from './gateway-route.ts';
import { type HookRoute, hookRoute } from './hook-route.ts';
import { limitBodies } from './limit-bodies.ts';
import { limitRate } from './limit-rate.ts';
import { openApiDocument } from './openapi/open-api-document.ts';
import { otlpRoutes } from './otlp/otlp-routes.ts';
import { problem } from './problem.ts';
import { type Protection, protect } from './protect.ts';
import { Refusal } from './refusal.ts';
import { createRequestMeter } from './request-meter.ts';
import { tokenCheck } from './token-check.ts';

export interface AppOptions extends HostCheck, Protection, Omit<HookRoute, 'recorder'> {
  ledger: Ledger;
  /** Of Unrut, for those who ask whether the server is up. */
  version: string;
  /** Bytes of a body. Default: 32 MB, since results of tools come with hooks. */
  mostBytes?: number;
  /** Bytes of all bodies under way. Default: 64 MB, which may take several times as much memory. */
  mostUnderWay?: number;
  /** Where the ledger is read from, and what is in force. Without it nothing can be looked at. */
  reads?: { reading: LedgerReading; settings: () => LoadedSettings; stream?: StreamOptions };
  /** The folder of the built dashboard. Default: where `npm run build` puts it. */
  dashboard?: string;
  /** Between programs and the APIs of models. */
  gateway?: Gateway;
  /** Computer-use runs, where they are allowed. */
  cua?: CuaRuns;
  /** What an address may ask for, see `RateLimit`. */
  rate?: number;
  /** Is aborted when the server is to end, so that what goes on for ever ends too. */
  signal?: AbortSignal;
  /** Is given what has to be done when no more requests come, before the ledger is closed. */
  onClose?: (close: () => Promise<void>) => void;
}

const MAX_BYTES = 32 << 20;
const MAX_UNDER_WAY = 64 << 20;

/** The server's routes, apart from any port. */
export function createApp(options: AppOptions): Hono {
  const { ledger, version, mostBytes = MAX_BYTES, mostUnderWay = MAX_UNDER_WAY } = options;
  const app = new Hono();
  const meter = createRequestMeter();
  app.use(meter.middleware);
  app.use(checkHost(options));
  app.use(limitRate({ isKnown: tokenCheck(options.token), ...(options.rate === undefined ? {} : { rate: options.rate }) }));
  if (options.gateway) app.use(gatewayRoute(options.gateway, options));
  app.use(dashboard(options.dashboard));
  app.use(protect(options));
  app.use(limitBodies({ mostBytes, mostUnderWay }));
  app.get('/healthz', async (context) => {
    try {
      await ledger.loadState('');
      return context.json({ ok: true, version });
    } catch (error) {
      return problem(context, 503, 'ledger-unusable', (error as Error).message);
    }
  });
  app.get('/openapi.json', (context) => context.json(openApiDocument(version)));
  const recorder = createRecorder(ledger, {}, { unsaved: 'drop' });
  app.post('/v1/hooks/:agent', hookRoute({ ...options, recorder }));
  app.post('/v1/events', eventsRoute({ ...options, recorder }));
  const otlp = otlpRoutes({ ledger, recorder, guard: options.settingsIn(undefined).guard, mostBytes });
  options.onClose?.(otlp.close);
  app.route('/', otlp.app);
  app.route('/', cuaRoutes(options.cua));
  if (options.reads)
    app.route('/', readRoutes({ ...options.reads, meter, version, ...(options.signal ? { signal: options.signal } : {}) }));
  app.notFound((context) =>
    problem(context, 404, 'not-found', `No such route: ${context.req.method} ${cut(context.req.path, 80)}. See GET /openapi.json.`),
  );
  app.onError((error, context) =>
    error instanceof Refusal
      ? problem(context, error.status, error.code, error.message)
      : error instanceof UnrutError && error.code === 'ledger-unusable'
        ? problem(context, 503, error.code, error.message)
        : problem(context, 500, 'fault', `Unexpected error in Unrut: ${errorReason(error)}.`),
  );
  return app;
}
