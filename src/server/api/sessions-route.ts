import type { Context } from 'hono';
import { SESSION_ORDERS } from '../../ledger/reports/reports.ts';
import { SESSION_STATES } from '../../ledger/reports/session-summary.ts';
import type { SessionsAnswer } from './answers.ts';
import { cursorIn, cursorText, namesIn, numberIn, sinceIn } from './query.ts';
import type { LedgerReading } from './reading.ts';

/** `GET /v1/sessions`: what agents are at, and were at. */
export function sessionsRoute({ reports, now }: LedgerReading): (context: Context) => Promise<Response> {
  return async (context) => {
    const { host, folder, loops, search } = context.req.query();
    const after = cursorIn(context);
    const [sort, ...more] = namesIn(context, 'sort', SESSION_ORDERS);
    const { next, ...report } = await reports.sessions({
      ...{ most: numberIn(context, 'limit', 50), since: sinceIn(context, now()), facets: true },
      states: namesIn(context, 'state', SESSION_STATES),
      looped: loops !== undefined,
      ...(after === undefined ? {} : { after }),
      ...(host === undefined ? {} : { host }),
      ...(folder === undefined ? {} : { folder }),
      ...(search === undefined ? {} : { search }),
      ...(sort === undefined || more.length > 0 ? {} : { sort }),
    });
    return context.json({ ...report, ...(next ? { next: cursorText(next) } : {}) } satisfies SessionsAnswer);
  };
}
