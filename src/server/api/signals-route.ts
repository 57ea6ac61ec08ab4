import type { Context } from 'hono';
import { isAdvice } from '../../detectors/index.ts';
import type { Signal } from '../../signal.ts';
import type { NewestQuery } from '../../views/ledger-rows.ts';
import type { SessionTally } from '../../views/session-tally.ts';
import type { SignalsAnswer } from './answers.ts';
import { cursorIn, cursorText, numberIn, sinceIn } from './query.ts';
import type { LedgerReading } from './reading.ts';

/** `GET /v1/signals`: what was seen, the newest first. */
export function signalsRoute(reading: LedgerReading): (context: Context) => Promise<Response> {
  return async (context) => {
    const most = numberIn(context, 'limit', 50);
    const { detector, session } = context.req.query();
    const cursor = cursorIn(context);
    const query: NewestQuery = {
      ...{ kind: 'signal', most, since: sinceIn(context, reading.now()) },
      ...(session === undefined ? {} : { session }),
      ...(detector === undefined ? {} : { field: ['detector', detector] }),
      ...(cursor === undefined ? {} : { before: { at: cursor.at, sequence: Number(cursor.name) || 0 } }),
    };
    const sessions = await reading.sessions();
    const span = detector === undefined ? {} : spanOf(detector, sessions.values());
    const rows = span ? reading.rows.newest({ ...query, ...span, since: Math.max(query.since ?? 0, span.since ?? 0) }) : [];
    const last = rows.at(-1);
    return context.json({
      signals: rows.map(({ id, session, at, data }) => {
        const signal = data as unknown as Signal;
        const host = sessions.get(session)?.summary.host;
        const tool = reading.rows.toolAt(session, at);
        return {
          ...signal,
          ...{ id, session, at, advice: isAdvice(signal) },
          ...(host === undefined ? {} : { host }),
          ...(tool === undefined ? {} : { tool }),
        };
      }),
      ...(last && rows.length === most ? { next: cursorText({ at: last.at, name: String(last.sequence) }) } : {}),
    } satisfies SignalsAnswer);
  };
}

const HOUR = 3_600_000;

/** When a detector spoke first and last, to the hour; nothing where it never did. So only what may be found is looked through. */
function spanOf(detector: string, sessions: Iterable<SessionTally>): { since?: number; until?: number } | undefined {
  let [first, last] = [Number.POSITIVE_INFINITY, 0];
  for (const { hours } of sessions)
    for (const [hour, { detectors }] of hours) if (detectors.has(detector)) [first, last] = [Math.min(first, hour), Math.max(last, hour)];
  return last === 0 ? undefined : { since: first * HOUR, until: (last + 1) * HOUR };
}
