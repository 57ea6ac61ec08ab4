import type { Context } from 'hono';
import { ENTRY_KINDS, type EntryKind, type LedgerEntry } from '../../ledger/ledger-entry.ts';
import { Refusal } from '../problem.ts';
import type { EntryStream } from './entry-stream.ts';
import { namesIn } from './query.ts';

/** `GET /v1/stream`: entries as they are added, as server-sent events. */
export function streamRoute(stream: EntryStream): (context: Context) => Response {
  return (context) => {
    const kinds = new Set(namesIn(context, 'kind', ENTRY_KINDS));
    const { session } = context.req.query();
    const known = context.req.header('last-event-id') ?? context.req.query('after');
    if (known !== undefined && !/^\d{1,20}(?:\.\d{1,10})?$/.test(known))
      throw new Refusal(400, 'bad-query', 'Expected Last-Event-ID to be the id of an event of this stream, got something else.');
    const headers = { 'content-type': 'text/event-stream; charset=utf-8', 'x-accel-buffering': 'no' };
    // Nobody would read what comes.
    if (context.req.method === 'HEAD') return context.body(null, 200, headers);
    const isWanted = (row: { kind: LedgerEntry['kind']; session: string }): boolean =>
      kinds.has(row.kind as EntryKind) && (session === undefined || row.session === session);
    const body = stream.listen(isWanted, known);
    if (!body) throw new Refusal(503, 'too-many-listeners', `Too many listeners: at most ${stream.listeners}. Try again later.`);
    return context.body(body, 200, headers);
  };
}
