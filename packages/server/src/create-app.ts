import type { Gateway } from '@unrut/adapters/gateway/gateway';
import { UnrutError } from '@unrut/engine/errors';
import { lazily } from '@unrut/engine/lazily';
import { errorReason } from '@unrut/engine/redact/reason';
import { cut } from '@unrut/engine/text/printable';
import type { LoadedSettings } from '@unrut/ledger/config/load-settings';
import type { Ledger } from '@unrut/ledger/ledger';
import { createRecorder } from '@unrut/ledger/recorder';
import { type Context, Hono } from 'hono';
import type { StreamOptions } from './api/entry-stream.ts';
import { readRoutes } from './api/read-routes.ts';
import type { LedgerReading } from './api/reading.ts';
import { type BodyLimit, createBodies } from './body.ts';
import { checkHost, type HostCheck } from './check-host.ts';
import { checkRoute } from './check-route.ts';
import { cuaRoutes } from './cua/cua-routes.ts';
import type { CuaRuns } from './cua/cua-runs.ts';
import { dashboard } from './dashboard.ts';
import { eventsRoute } from './events/events-route.ts';
import { gatewayRoute } from './gateway-route.ts';
import { hookRoute, type ReportingRoute } from './hook-route.ts';
import { callerFor, type KeysNeeded } from './keys.ts';
import { limitRate } from './limit-rate.ts';
import { type Log, noLog } from './log.ts';
import { openApiDocument } from './openapi/open-api-document.ts';
import { paths, pathsOfOrganisations } from './openapi/paths.ts';
import { mountPlaces } from './organisation/mount-places.ts';
import {
  createOrganisationParts,
  type LookPlace,
  type OrganisationOptions,
  type ReportPlace,
} from './organisation/organisation-app.ts';
import { organisationRoutes } from './organisation/organisation-routes.ts';
import { signInRoutes, signOutRoute } from './organisation/sign-in-routes.ts';
import { otlpRoutes } from './otlp/otlp-routes.ts';
import type { PeopleSaid } from './people-said.ts';
import { problem, Refusal } from './problem.ts';
import { metric } from './prometheus.ts';
import { checkCaller, checkOrigin, identify, isKnown, type Protection } from './protect.ts';
import { createRequestMeter } from './request-meter.ts';
import { noTraces, type Traces, tracedSteps } from './traces.ts';
import { type WatchedSteps, watchSteps } from './watched-steps.ts';

export interface AppOptions
  extends BodyLimit,
    HostCheck,
    KeysNeeded,
    Protection,
    Omit<ReportingRoute, 'recorder'> {
  ledger: Ledger;
  /** Of Unrut, for those who ask whether the server is up. */
  version: string;
  /** Where the ledger is read from, and what is in force. Without it nothing can be looked at. */
  reads?: { reading: LedgerReading; settings: () => LoadedSettings; stream?: StreamOptions };
  /** The folder of the built dashboard. Default: where `npm run build` puts it. */
  dashboard?: string;
  /** What people have said about sessions, which agents go by. */
  said?: PeopleSaid;
  /** Between programs and the APIs of models. */
  gateway?: Gateway;
  /** Computer-use runs, where they are allowed. */
  cua?: CuaRuns;
  /** Where operators are told what goes wrong. Default: nowhere. */
  log?: Log;
  /** Milliseconds after which a step of the ledger is given up. Default: 20,000. */
  longestStep?: number;
  /** What an address may ask for, see `RateLimit`. */
  rate?: number;
  /**
   * Those whose sessions are recorded here, where they are many; then nothing is shown or recorded
   * but in their places.
   */
  organisations?: OrganisationOptions & OrganisationPlaces;
  /** Where the server tells of its own work. Default: nowhere. */
  traces?: Traces;
  /** What the ledger tells of itself, in the text format of Prometheus. */
  ledgerMetrics?: () => Promise<string[]>;
  /**
   * Is aborted some time before `signal`: requests are still taken, but `/readyz` is red, so that
   * others send them elsewhere.
   */
  draining?: AbortSignal;
  /** Is aborted when the server is to end, so that what goes on for ever ends too. */
  signal?: AbortSignal;
  /** Is given what has to be done when no more requests come, before the ledger is closed. */
  onClose?: (close: () => Promise<void>) => void;
}

/** How what belongs to an organisation is reached. */
export interface OrganisationPlaces {
  report(place: ReportPlace): Promise<Pick<ReportingRoute, 'ledger' | 'settingsIn'>>;
  look(place: LookPlace): Promise<NonNullable<AppOptions['reads']>>;
}

/** The server's routes, apart from any port. */
export function createApp(options: AppOptions): Hono {
  const { ledger, version, log = noLog, traces = noTraces, signal, said, organisations } = options;
  const app = new Hono();
  const meter = createRequestMeter(log);
  const bodies = createBodies(options);
  const steps = watchSteps(() => createRecorder(ledger, {}, { unsaved: 'drop' }), {
    log,
    longest: options.longestStep,
  });
  const recorder = tracedSteps(steps.recorder, traces);
  const parts =
    organisations &&
    createOrganisationParts({
      ...organisations,
      log,
      token: options.token,
      isOpen: options.token === undefined && !options.needsKey,
    });
  app.use(traces.middleware);
  app.use(meter.middleware);
  app.use(checkHost(options));
  const caller = callerFor(options);
  app.use(parts ? parts.identify : identify(caller));
  app.use(limitRate({ isKnown, rate: options.rate }));
  if (options.gateway) app.use(gatewayRoute(options.gateway, { ...options, caller }));
  app.use(dashboard(options.dashboard));
  app.route('/', probes(steps, [options.draining, signal]));
  const signing = organisations && parts && { ...organisations, ...parts, log };
  if (signing) app.route('/', signInRoutes(signing));
  app.use(checkOrigin(options));
  app.use(checkCaller);
  if (parts) app.use(parts.check);
  app.use(checkRoute(parts ? pathsOfOrganisations : paths));
  app.use(bodies.middleware);
  const document = lazily(() => openApiDocument(version, parts !== undefined));
  app.get('/openapi.json', (context) => context.json(document()));
  const ownMetrics = async (): Promise<string[]> => [
    ...steps.lines(),
    ...metric(
      'unrut_under_way_bytes',
      'gauge',
      'Memory of requests that are being worked on.',
      bodies.underWay(),
    ),
    ...meter.lines(),
    ...((await options.ledgerMetrics?.()) ?? []),
  ];
  const reporting = (
    place: Omit<ReportingRoute, 'recorder'>,
    recorder: ReportingRoute['recorder'],
  ): Hono => {
    const routes = new Hono();
    routes.post('/v1/hooks/:agent', hookRoute({ ...place, recorder }));
    routes.post('/v1/events', eventsRoute({ ...place, recorder }));
    const otlp = otlpRoutes({
      ledger: place.ledger,
      recorder,
      guard: place.settingsIn(undefined).guard,
    });
    options.onClose?.(otlp.close);
    return routes.route('/', otlp.app);
  };
  const looking = (reads: NonNullable<AppOptions['reads']> & { said?: PeopleSaid }): Hono =>
    readRoutes({ ...reads, ownMetrics, version, signal });
  if (organisations && parts) {
    const refusing = { onError: refused, notFound: unknownRoute };
    app.route('/', organisationRoutes({ ...organisations, memberOf: parts.memberOf }));
    app.route('/', signOutRoute({ ...organisations, ...parts, log }));
    mountPlaces(app, {
      parts,
      refusing,
      report: async (place) => {
        const opened = await organisations.report(place);
        return reporting(
          opened,
          tracedSteps(
            steps.watch(() => createRecorder(opened.ledger, {}, { unsaved: 'drop' })),
            traces,
          ),
        );
      },
      look: async (place) => looking(await organisations.look(place)),
    });
    options.onClose?.(async () => parts.close());
  } else {
    app.get('/v1/me', (context) => context.json(ALONE));
    app.route('/', reporting(options, recorder));
    app.route('/', cuaRoutes(options.cua));
    if (options.reads) app.route('/', looking({ ...options.reads, said }));
  }
  app.notFound(unknownRoute);
  app.onError(refused);
  return app;
}

/** Whoever asks a server for one person is that person. */
const ALONE = { organisation: null, admin: true, projects: [] };

const unknownRoute = (context: Context): Response =>
  problem(
    context,
    404,
    'not-found',
    `No such route: ${context.req.method} ${cut(decoded(context.req.path), 80)}. See GET /openapi.json.`,
  );

const refused = (error: Error, context: Context): Response =>
  error instanceof Refusal
    ? problem(context, error.status, error.code, error.message)
    : error instanceof UnrutError && error.code === 'ledger-unusable'
      ? problem(context, 503, error.code, error.message)
      : problem(context, 500, 'fault', `Unexpected error in Unrut: ${errorReason(error)}.`);

/** As it was meant: what is encoded hides what it is from those who mask it. */
function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/**
 * `GET /livez`, `/healthz` and `/readyz`, for everybody: nothing of what is recorded is in them.
 */
function probes(steps: WatchedSteps, endings: readonly (AbortSignal | undefined)[]): Hono {
  const app = new Hono();
  for (const path of ['/livez', '/healthz']) app.get(path, (context) => context.json({ ok: true }));
  app.get('/readyz', async (context) => {
    if (endings.some((signal) => signal?.aborted))
      return problem(context, 503, 'not-ready', 'The server is stopping.');
    if ((await steps.tryWrite()) !== undefined)
      return problem(
        context,
        503,
        'not-ready',
        'The ledger cannot be written. The log of the server says why.',
      );
    return context.json({ ok: true });
  });
  return app;
}
