import type { MiddlewareHandler } from 'hono';
import { matchedRoutes } from 'hono/route';

/** Counts requests, and measures those that report something. */
export interface RequestMeter {
  middleware: MiddlewareHandler;
  /** In the text format of Prometheus. */
  lines(): string[];
}

/** Upper bounds in seconds. */
const BOUNDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1];
/** Paths that hold what agents report. */
const INGEST = /^\/v1\/(?:events|hooks\/:agent|traces|logs)$/;

/** Routes that are not there are counted as one, so that nobody can make up names. */
export function createRequestMeter(): RequestMeter {
  const requests = new Map<string, number>();
  const buckets: number[] = [...BOUNDS, 0].map(() => 0);
  let [sum, count] = [0, 0];
  return {
    async middleware(context, next) {
      const began = performance.now();
      await next();
      const route = matchedRoutes(context).findLast(({ method }) => method !== 'ALL')?.path ?? 'none';
      const method = METHODS.has(context.req.method) ? context.req.method : 'other';
      const name = `${method} ${route} ${context.res.status}`;
      requests.set(name, (requests.get(name) ?? 0) + 1);
      if (!INGEST.test(route)) return;
      const seconds = (performance.now() - began) / 1000;
      const bucket = BOUNDS.findIndex((bound) => seconds <= bound);
      buckets[bucket < 0 ? BOUNDS.length : bucket]!++;
      sum += seconds;
      count++;
    },
    lines() {
      const upTo = (bucket: number): number => buckets.slice(0, bucket + 1).reduce((all, each) => all + each, 0);
      const name = 'unrut_ingest_duration_seconds';
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
        `# HELP ${name} How long requests took that report what agents do.`,
        `# TYPE ${name} histogram`,
        ...BOUNDS.map((bound, i) => `${name}_bucket{le="${bound}"} ${upTo(i)}`),
        `${name}_bucket{le="+Inf"} ${count}`,
        `${name}_sum ${sum}`,
        `${name}_count ${count}`,
      ];
    },
  };
}

const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** `{a="1",b="2"}`, with what would break a line escaped. */
export const labels = (values: Readonly<Record<string, string | number>>): string =>
  `{${Object.entries(values)
    .map(([name, value]) => `${name}="${String(value).replace(/[\\"\n]/g, (letter) => (letter === '\n' ? '\\n' : `\\${letter}`))}"`)
    .join(',')}}`;

/** The lines of one metric, with its values by their labels. */
export const metric = (
  name: string,
  type: 'counter' | 'gauge',
  help: string,
  values: readonly (readonly [labels: string, value: number])[],
): string[] => [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...values.map(([of, value]) => `${name}${of} ${value}`)];
