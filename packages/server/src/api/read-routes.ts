import type { LoadedSettings } from '@unrut/ledger/config/load-settings';
import { ENTRY_KINDS, type EntryKind, type LedgerEntry } from '@unrut/ledger/ledger-entry';
import { type Context, Hono } from 'hono';
import { actRoute } from '../act-route.ts';
import type { PeopleSaid } from '../people-said.ts';
import { Refusal } from '../problem.ts';
import { detectorsRoute } from './detectors-route.ts';
import { createEntryStream, type EntryStream, type StreamOptions } from './entry-stream.ts';
import { metricsRoute } from './metrics-route.ts';
import { namesIn } from './query.ts';
import type { LedgerReading } from './reading.ts';
import { recoveriesRoute, sessionsRoute, signalsRoute, statsRoute } from './report-routes.ts';
import { runRoute, runsRoute, statusRoute } from './runs.ts';
import { sessionRoute } from './session-route.ts';

/** What the routes look at. */
export interface ReadRoutes {
  reading: LedgerReading;
  /** What people say beside the ledger. Without it, nothing can be done from here. */
  said?: PeopleSaid;
  /** What is in force in the server's folder. */
  settings: () => LoadedSettings;
  /** What the server knows of itself, in the text format of Prometheus. */
  ownMetrics: () => Promise<string[]>;
  version: string;
  stream?: StreamOptions;
  /** Ends the streams. */
  signal?: AbortSignal;
}

/**
 * Everything that only looks: sessions, signals, recoveries, figures, runs, detectors, what is
 * going on.
 */
export function readRoutes({
  reading,
  said,
  settings,
  ownMetrics,
  version,
  stream: options,
  signal,
}: ReadRoutes): Hono {
  const stream = createEntryStream(reading.reports.feed, options);
  signal?.addEventListener('abort', () => stream.close(), { once: true });
  const app = new Hono();
  app.get('/v1/sessions', sessionsRoute(reading));
  for (const path of ['/v1/sessions/:id', '/v1/session'])
    app.get(path, sessionRoute(reading, said));
  if (said) app.post('/v1/act', actRoute({ reading, said }));
  app.get('/v1/signals', signalsRoute(reading));
  app.get('/v1/recoveries', recoveriesRoute(reading));
  app.get('/v1/stats', statsRoute(reading));
  app.get('/v1/status', statusRoute(reading, version));
  app.get('/v1/runs', runsRoute(reading));
  for (const path of ['/v1/runs/:id', '/v1/run']) app.get(path, runRoute(reading));
  app.get('/v1/detectors', detectorsRoute(reading, settings));
  app.get('/v1/stream', streamRoute(stream));
  app.get('/metrics', metricsRoute({ reading, stream, ownMetrics, version }));
  return app;
}

/** `GET /v1/stream`: entries as they are added, as server-sent events. */
function streamRoute(stream: EntryStream): (context: Context) => Response {
  return (context) => {
    const kinds = new Set(namesIn(context, 'kind', ENTRY_KINDS));
    const { session } = context.req.query();
    const known = context.req.header('last-event-id') ?? context.req.query('after');
    if (known !== undefined && !/^\d{1,20}(?:\.\d{1,10})?$/.test(known))
      throw new Refusal(
        400,
        'bad-query',
        'Expected Last-Event-ID to be the id of an event of this stream, got something else.',
      );
    const headers = {
      'content-type': 'text/event-stream; charset=utf-8',
      'x-accel-buffering': 'no',
    };
    // Nobody would read what comes.
    if (context.req.method === 'HEAD') return context.body(null, 200, headers);
    const isWanted = (row: { kind: LedgerEntry['kind']; session: string }): boolean =>
      kinds.has(row.kind as EntryKind) && (session === undefined || row.session === session);
    const body = stream.listen(isWanted, known);
    if (!body)
      throw new Refusal(
        503,
        'too-many-listeners',
        `Too many listeners: at most ${stream.listeners}. Try again later.`,
      );
    return context.body(body, 200, headers);
  };
}
