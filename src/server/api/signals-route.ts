import type { Context } from 'hono';
import { isAdvice } from '../../detectors/index.ts';
import type { NewestQuery } from '../../ledger-views/ledger-rows.ts';
import type { Signal } from '../../signal.ts';
import type { SignalsAnswer } from './answers.ts';
import { cursorIn, cursorText, numberIn, sinceIn } from './query.ts';
import type { Reading } from './reading.ts';

/** `GET /v1/signals`: what was seen, the newest first. */
export function signalsRoute(reading: Reading): (context: Context) => Promise<Response> {
  return async (context) => {
    const most = numberIn(context, 'limit', 50, [1, 500]);
    const { detector, session } = context.req.query();
    const cursor = cursorIn(context);
    const query: NewestQuery = {
      ...{ kind: 'signal', most, since: sinceIn(context, reading.now()) },
      ...(session === undefined ? {} : { session }),
      ...(detector === undefined ? {} : { field: ['detector', detector] }),
      ...(cursor === undefined ? {} : { before: { at: cursor.at, sequence: Number(cursor.name) || 0 } }),
    };
    const sessions = await reading.sessions();
    const rows = reading.rows.newest(query);
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
