import type { Context } from 'hono';
import type { SignalsAnswer } from './answers.ts';
import { cursorIn, cursorText, numberIn, sinceIn } from './query.ts';
import type { LedgerReading } from './reading.ts';

/** `GET /v1/signals`: what was seen, the newest first. */
export function signalsRoute({ reports, now }: LedgerReading): (context: Context) => Promise<Response> {
  return async (context) => {
    const { detector, session } = context.req.query();
    const after = cursorIn(context);
    const { signals, next } = await reports.signals({
      ...{ most: numberIn(context, 'limit', 50), since: sinceIn(context, now()) },
      ...(session === undefined ? {} : { session }),
      ...(detector === undefined ? {} : { detector }),
      ...(after === undefined ? {} : { after }),
    });
    return context.json({ signals, ...(next ? { next: cursorText(next) } : {}) } satisfies SignalsAnswer);
  };
}
