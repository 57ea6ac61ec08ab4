import type { Context, MiddlewareHandler } from 'hono';
import { matchedRoutes } from 'hono/route';
import type { Log } from './log.ts';
import { refusalOf } from './problem.ts';
import { histogram, labels, metric } from './prometheus.ts';

/**
 * Counts requests, measures those that report events, and logs those that are refused, fail or are
 * slow.
 */
export interface RequestMeter {
  middleware: MiddlewareHandler;
  /** In the text format of Prometheus. */
  lines(): string[];
}

/** Upper bounds in seconds. */
const BOUNDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1];
/** Paths that receive agents' reports. */
const INGEST = /^\/v1\/(?:events|hooks\/:agent|traces|logs)$/;

/** Milliseconds. */
const SLOW = 1000;
/** Answers that wait for something. */
const PATIENT = /^\/v1\/(?:cua|stream|export)$/;

/** The route for logs, without names. */
export const routeOf = (context: Context): string =>
  matchedRoutes(context).findLast(({ method }) => method !== 'ALL')?.path ?? 'none';

/** Unknown routes are counted as one, so that clients cannot create arbitrary labels. */
export function createRequestMeter(log: Log): RequestMeter {
  const requests = new Map<string, number>();
  const refusals = new Map<string, number>();
  let slow = 0;
  const buckets = BOUNDS.map((bound): [bound: number, count: number] => [bound, 0]);
  let [sum, count] = [0, 0];
  return {
    async middleware(context, next) {
      const began = performance.now();
      await next();
      const route = routeOf(context);
      const method = METHODS.has(context.req.method) ? context.req.method : 'other';
      const name = `${method} ${route} ${context.res.status}`;
      requests.set(name, (requests.get(name) ?? 0) + 1);
      const seconds = (performance.now() - began) / 1000;
      const about = {
        method,
        route,
        status: context.res.status,
        milliseconds: Math.round(seconds * 1000),
      };
      const refused = refusalOf(context);
      if (refused) {
        refusals.set(refused.code, (refusals.get(refused.code) ?? 0) + 1);
        // While a server drains or waits for its ledger, probes fail every second; the reason is
        // logged elsewhere.
        const isFault = about.status >= 500 && refused.code !== 'not-ready';
        log({
          event: isFault ? 'fault' : 'refused',
          level: isFault ? 'error' : 'warn',
          ...about,
          ...refused,
        });
      }
      if (about.milliseconds >= SLOW && !PATIENT.test(route)) {
        slow++;
        log({ event: 'slow', level: 'warn', ...about });
      }
      if (!INGEST.test(route)) return;
      for (const bucket of buckets) if (seconds <= bucket[0]) bucket[1]++;
      sum += seconds;
      count++;
    },
    lines() {
      return [
        ...metric(
          'unrut_http_requests_total',
          'counter',
          'Requests by route and status.',
          [...requests].map(([name, count]) => {
            const [method = '', route = '', status = ''] = name.split(' ');
            return [labels({ method, route, status }), count];
          }),
        ),
        ...metric(
          'unrut_refusals_total',
          'counter',
          'Requests that were refused or failed, by code.',
          [...refusals].map(([code, count]) => [labels({ code }), count]),
        ),
        ...metric(
          'unrut_slow_requests_total',
          'counter',
          'Requests that took a second or longer.',
          slow,
        ),
        ...metric(
          'unrut_log_suppressed_total',
          'counter',
          'Log lines that were not written, as there were too many of their kind.',
          log.suppressed,
        ),
        ...histogram(
          'unrut_ingest_duration_seconds',
          'How long requests took that report what agents do.',
          { buckets, sum, count },
        ),
      ];
    },
  };
}

const METHODS: ReadonlySet<string> = new Set([
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
]);
