import { Hono } from 'hono';
import type { LoadedSettings } from '../../config/load-settings.ts';
import { actRoute } from '../act-route.ts';
import type { PeopleSaid } from '../people-said.ts';
import { detectorsRoute } from './detectors-route.ts';
import { createEntryStream, type StreamOptions } from './entry-stream.ts';
import { metricsRoute } from './metrics-route.ts';
import type { LedgerReading } from './reading.ts';
import { recoveriesRoute, sessionsRoute, signalsRoute, statsRoute } from './report-routes.ts';
import { runRoute, runsRoute, statusRoute } from './runs-route.ts';
import { sessionRoute } from './session-route.ts';
import { streamRoute } from './stream-route.ts';

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

/** Everything that only looks: sessions, signals, recoveries, figures, runs, detectors, what is going on. */
export function readRoutes({ reading, said, settings, ownMetrics, version, stream: options, signal }: ReadRoutes): Hono {
  const stream = createEntryStream(reading.reports.feed, options);
  signal?.addEventListener('abort', () => stream.close(), { once: true });
  const app = new Hono();
  app.get('/v1/sessions', sessionsRoute(reading));
  for (const path of ['/v1/sessions/:id', '/v1/session']) app.get(path, sessionRoute(reading, said));
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
