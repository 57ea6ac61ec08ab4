import type { Gateway } from '@unrut/adapters/gateway/gateway';
import { UnrutError } from '@unrut/engine/errors';
import { present } from '@unrut/engine/json';
import { lazily } from '@unrut/engine/lazily';
import { keepIn } from '@unrut/engine/recent';
import { errorReason } from '@unrut/engine/redact/reason';
import { cut } from '@unrut/engine/text/printable';
import type { LoadedSettings } from '@unrut/ledger/config/load-settings';
import type { Ledger } from '@unrut/ledger/ledger';
import { processMemory } from '@unrut/ledger/processes/process-memory';
import { createRecorder, type Recorder } from '@unrut/ledger/recorder';
import { isAway } from '@unrut/postgres/postgres-error';
import { type Context, Hono } from 'hono';
import type { MeAnswer } from './api/answers.ts';
import type { StreamOptions } from './api/entry-stream.ts';
import type { Looking } from './api/look-routes.ts';
import { openLooking } from './api/read-routes.ts';
import type { LedgerReading } from './api/reading.ts';
import { type BodyLimit, createBodies } from './body.ts';
import { checkHost, type HostCheck } from './check-host.ts';
import type { CuaRuns } from './cua/cua-runs.ts';
import { dashboard } from './dashboard.ts';
import { gatewayRoute } from './gateway-route.ts';
import { openReporting } from './ingest-routes.ts';
import { callerFor, type KeysNeeded, mayDo } from './keys.ts';
import { leaveHanging } from './leave-hanging.ts';
import { ledgerReason } from './ledger-reason.ts';
import { limitRate } from './limit-rate.ts';
import { type Log, noLog } from './log.ts';
import { type Managing, whoAsks } from './organisation/managing.ts';
import {
  createOrganisationParts,
  type LookPlace,
  type OrganisationOptions,
  type ReportPlace,
} from './organisation/organisation-app.ts';
import type { PeopleSaid } from './people-said.ts';
import { problem, Refusal } from './problem.ts';
import { metric } from './prometheus.ts';
import {
  callerOf,
  checkCaller,
  checkOrigin,
  identify,
  isKnown,
  type Protection,
} from './protect.ts';
import { placedRecorder, type Reported, type Reporting, type ReportingRoute } from './reporting.ts';
import { createRequestMeter } from './request-meter.ts';
import { mount, refuseOtherMethods } from './route/route.ts';
import { allRoutes, documentOf, routesFor } from './routes.ts';
import { noTraces, type Traces, tracedSteps } from './traces.ts';
import { watchSteps } from './watched-steps.ts';

export interface AppOptions
  extends BodyLimit,
    HostCheck,
    KeysNeeded,
    Protection,
    Omit<ReportingRoute, 'recorder'> {
  ledger: Ledger;
  /** The version of Unrut, for health checks. */
  version: string;
  /** The ledger to read and the settings in force. Without it, there are no routes for reading. */
  reads?: { reading: LedgerReading; settings: () => LoadedSettings; stream?: StreamOptions };
  /** The folder of the built dashboard. Default: the output of `npm run build`. */
  dashboard?: string;
  /** The users' instructions for sessions. */
  said?: PeopleSaid;
  /** Between programs and the APIs of models. */
  gateway?: Gateway;
  /** Computer-use runs, if they are allowed. */
  cua?: CuaRuns;
  /** Receives faults for operators. Default: nowhere. */
  log?: Log;
  /** Milliseconds after which a ledger transaction is abandoned. Default: 20,000. */
  longestStep?: number;
  /** The request budget of an address; see `RateLimit`. */
  rate?: number;
  /** For a server with organisations: all data is then recorded and shown only within them. */
  organisations?: OrganisationOptions & OrganisationPlaces;
  /** Traces of the server's own work. Default: none. */
  traces?: Traces;
  /** Metrics of the ledger, in Prometheus text format. */
  ledgerMetrics?: () => Promise<string[]>;
  /**
   * Aborted some time before `signal`: requests are still accepted, but `/readyz` fails, so that
   * load balancers use other servers.
   */
  draining?: AbortSignal;
  /** Aborted on shutdown; ends long-lived streams. */
  signal?: AbortSignal;
  /** Registers clean-up work to run after the last request, before the ledger is closed. */
  onClose?: (close: () => Promise<void>) => void;
}

/** Opens the ledgers and settings of organisations. */
export interface OrganisationPlaces {
  report(place: ReportPlace): Promise<OpenedReport>;
  look(place: LookPlace): Promise<NonNullable<AppOptions['reads']> & Pick<Looking, 'actingOn'>>;
}

/**
 * A place for reports and, for senders who may report to every project, the rules that choose the
 * project.
 */
interface OpenedReport extends Pick<ReportingRoute, 'ledger' | 'settingsIn' | 'said'> {
  placing?(reported: readonly Reported[]): Promise<ReportPlace[]>;
}

/** The server's routes, apart from any port. */
export function createApp(options: AppOptions): Hono {
  const { ledger, version, log = noLog, traces = noTraces, signal, organisations } = options;
  const app = new Hono();
  const meter = createRequestMeter(log);
  const bodies = createBodies(options);
  const steps = watchSteps(() => serverRecorder(ledger), {
    log,
    longest: options.longestStep,
  });
  const parts =
    organisations &&
    createOrganisationParts({
      ...organisations,
      log,
      token: options.token,
      isOpen: options.token === undefined && !options.needsKey,
    });
  const routes = routesFor(parts !== undefined);
  app.use(traces.middleware);
  app.use(meter.middleware);
  app.use(checkHost(options));
  app.use(leaveHanging({ tryWrite: steps.tryWrite, log, signal }));
  const caller = callerFor(options);
  app.use(parts ? parts.identify : identify(caller));
  app.use(limitRate({ isKnown, rate: options.rate }));
  if (options.gateway) app.use(gatewayRoute(options.gateway, { ...options, caller }));
  app.use(dashboard(options.dashboard));
  mount(app, routes.probe, () => ({ steps, endings: [options.draining, signal] }));
  const signing = organisations && parts && { ...organisations, ...parts, log };
  if (signing) mount(app, routes.signIn, () => signing);
  app.use(checkOrigin(options));
  app.use(checkCaller);
  if (parts) app.use(parts.check);
  app.use(bodies.middleware);
  const ownMetrics = async (): Promise<string[]> => [
    ...steps.lines(),
    ...metric(
      'unrut_under_way_bytes',
      'gauge',
      'Memory of requests that are being worked on.',
      bodies.underWay(),
    ),
    ...metric(
      'unrut_sessions_in_memory_bytes',
      'gauge',
      'Memory of sessions that are kept so that they need not be loaded.',
      processMemory.used,
    ),
    ...meter.lines(),
    ...((await options.ledgerMetrics?.()) ?? []),
  ];
  const reporting = (
    place: Omit<ReportingRoute, 'recorder'>,
    elsewhere?: ReportingRoute['recorder'],
  ): Reporting => {
    if (elsewhere) return opened({ ...place, recorder: elsewhere });
    const watched =
      place.ledger === ledger ? steps.recorder : steps.watch(() => serverRecorder(place.ledger));
    return opened({ ...place, recorder: tracedSteps(watched, traces) });
  };
  const opened = (place: ReportingRoute): Reporting => {
    const reported = openReporting({
      ...place,
      ...present({ pageOf: pagesAt(options.publicUrl) }),
    });
    options.onClose?.(() => reported.telemetry.close());
    return reported;
  };
  const looking = (reads: NonNullable<AppOptions['reads']> & Pick<Looking, 'actingOn'>): Looking =>
    openLooking({ ...reads, ownMetrics, version, signal });
  const document = lazily(() => documentOf(version, parts !== undefined));
  if (organisations && parts) {
    const managing = async (context: Context): Promise<Managing> => {
      const member = parts.memberOf(context);
      const store = organisations.organisations.of(member.org);
      return { member, store, projects: await store.projects(), now: Date.now };
    };
    mount(app, routes.operate, () => ({
      document,
      me: async (context) => whoAsks(await managing(context)),
    }));
    mount(app, routes.organisation, managing);
    if (signing) mount(app, routes.signOut, () => signing);
    const reportsTo = createPlaces(organisations.report, ({ placing, ...opened }): Reporting => {
      if (!placing) return reporting(opened);
      const placesOf = async (reported: readonly Reported[]) =>
        Promise.all((await placing(reported)).map(reportsTo));
      return { ...reporting(opened, placedRecorder(placesOf)), placesOf };
    });
    const looksAt = createPlaces(organisations.look, looking);
    app.use('/v1/sessions/:id', parts.tellOpened);
    app.use('/v1/export', parts.tellExported);
    app.use('/v1/act', parts.tellActed);
    app.use('/v1/incidents/:id', parts.tellActed);
    mount(
      app,
      routes.report,
      async (context) => reportsTo(await parts.reportPlace(context)),
      parts.limit,
    );
    const lookedAt = async (context: Context) => looksAt(await parts.lookPlace(context));
    mount(app, routes.look, lookedAt);
    mount(app, routes.act, lookedAt);
    options.onClose?.(async () => parts.close());
  } else {
    const reported = reporting(options);
    mount(app, routes.operate, () => ({ document, me: whoAsksAlone }));
    mount(app, routes.report, () => reported);
    mount(app, routes.cua, () => options);
    if (options.reads) {
      const looked = looking({ ...options.reads, ...actingAlone(options) });
      mount(app, routes.look, () => looked);
      if (options.said) mount(app, routes.act, () => looked);
    }
  }
  refuseOtherMethods(app, allRoutes(routes));
  app.notFound(unknownRoute);
  app.onError(refused);
  return app;
}

/** The addresses of session pages on a server with this public URL. */
const pagesAt = (publicUrl: string | undefined) =>
  publicUrl === undefined
    ? undefined
    : (session: string): string =>
        new URL(`/session?id=${encodeURIComponent(session)}`, publicUrl).href;

const serverRecorder = (ledger: Ledger): Recorder =>
  createRecorder(ledger, {}, { unsaved: 'drop', room: processMemory });

/** On a single-user server, all sessions share one file of instructions. */
const actingAlone = ({
  said,
  reads,
}: Pick<AppOptions, 'said' | 'reads'>): Pick<Looking, 'actingOn'> =>
  said && reads
    ? {
        async actingOn() {
          await said.refresh();
          return { said, ledger: reads.reading.ledger };
        },
      }
    : {};

/**
 * On a single-user server, callers without need of a key, or with a key for everything, are admins.
 */
const whoAsksAlone = (context: Context): MeAnswer => ({
  organisation: null,
  admin: mayDo(callerOf(context) ?? ['admin'], 'admin'),
  projects: [],
});

/** Max number of open places; the least recently used are closed first. */
const MAX_PLACES = 1000;

/** Opens each place once, so that its requests share their caches. */
function createPlaces<Place, Opened, Parts>(
  open: (place: Place) => Promise<Opened>,
  toParts: (opened: Opened) => Parts,
): (place: Place) => Promise<Parts> {
  const opened = new Map<string, Promise<Parts>>();
  return (place) => {
    const name = JSON.stringify(place);
    const parts = opened.get(name) ?? open(place).then(toParts);
    parts.catch(() => opened.delete(name));
    return keepIn(opened, name, parts, MAX_PLACES);
  };
}

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
    : isUnusable(error)
      ? problem(context, 503, 'ledger-unusable', ledgerReason(error))
      : problem(context, 500, 'fault', `Unexpected error in Unrut: ${errorReason(error)}.`);

const isUnusable = (error: Error): boolean =>
  (error instanceof UnrutError && error.code === 'ledger-unusable') || isAway(error);

/** Decodes a path before redaction, which would not recognise encoded secrets. */
function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
