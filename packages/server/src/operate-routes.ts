import type { Context } from 'hono';
import { healthSchema, meSchema } from './answers/organisation.ts';
import type { MeAnswer } from './api/answers.ts';
import { Refusal } from './problem.ts';
import { routesOf } from './route/route.ts';
import { open } from './route/schema-words.ts';
import type { WatchedSteps } from './watched-steps.ts';

/** What probes look at. */
export interface Probed {
  steps: WatchedSteps;
  /** Any of these is aborted when the server stops. */
  endings: readonly (AbortSignal | undefined)[];
}

const probe = routesOf<Probed>({ tag: 'operate', isPublic: true });

/** Public probes: they show no recorded data. */
export const probeRoutes = [
  probe.get('/livez', {
    id: 'live',
    summary: 'Check whether the server answers. Needs no token.',
    answer: healthSchema,
    handle: () => ({ ok: true }),
  }),

  probe.get('/readyz', {
    id: 'ready',
    summary: 'Check whether the server can write to its ledger. Needs no token.',
    answer: healthSchema,
    refuses: { 503: 'The ledger cannot be written, or the server is stopping.' },
    async handle(_, { steps, endings }) {
      if (endings.some((signal) => signal?.aborted))
        throw new Refusal(503, 'not-ready', 'The server is stopping.');
      if ((await steps.tryWrite()) !== undefined)
        throw new Refusal(
          503,
          'not-ready',
          'The ledger cannot be written. The log of the server says why.',
        );
      return { ok: true };
    },
  }),
];

/** Routes about the server itself and its callers. */
export interface Operating {
  document(): { [key: string]: unknown };
  me(context: Context): MeAnswer | Promise<MeAnswer>;
}

const operate = routesOf<Operating>({ tag: 'operate' });

export const operateRoutes = [
  operate.get('/v1/me', {
    id: 'getMe',
    summary: 'Get who you are, and what you may do in which project.',
    answer: meSchema,
    handle: ({ context }, { me }) => me(context),
  }),

  operate.get('/openapi.json', {
    id: 'openapi',
    summary: 'This document.',
    answer: open({}),
    statuses: { 200: 'OpenAPI 3.1.' },
    handle: (_, { document }) => document(),
  }),
];
