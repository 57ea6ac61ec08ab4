import { detectorsRoute } from './detectors-route.ts';
import { createEntryStream, type StreamOptions } from './entry-stream.ts';
import { exportRoute } from './export-route.ts';
import { incidentRoutes } from './incident-routes.ts';
import { insightsRoute } from './insights-route.ts';
import type { Looking } from './look-routes.ts';
import { createMetrics, type MetricsSource, metricsRoute } from './metrics-route.ts';
import { reportRoutes } from './report-routes.ts';
import { runRoutes } from './runs.ts';
import { sessionRoute } from './session-route.ts';
import { streamRoute } from './stream-route.ts';

/** Everything that shows recorded data. */
export const readRoutes = [
  ...reportRoutes,
  insightsRoute,
  sessionRoute,
  ...incidentRoutes,
  ...runRoutes,
  detectorsRoute,
  streamRoute,
  exportRoute,
  metricsRoute,
];

type LookingOptions = Omit<Looking, 'stream' | 'since' | 'metrics'> &
  Pick<MetricsSource, 'ownMetrics'> & {
    stream?: StreamOptions | undefined;
    /** Ends the streams. */
    signal?: AbortSignal | undefined;
  };

/** Creates the routes' context for one ledger or a part of it. */
export function openLooking({ stream: options, signal, ...given }: LookingOptions): Looking {
  const stream = createEntryStream(given.reading.reports.feed, options);
  signal?.addEventListener('abort', () => stream.close(), { once: true });
  return {
    ...given,
    stream,
    since: given.reading.now(),
    metrics: createMetrics({ ...given, stream }),
  };
}
