import { ENTRY_KINDS, type EntryKind, type LedgerEntry } from '@unrut/ledger/ledger-entry';
import { streamEntrySchema } from '../answers/sessions.ts';
import { Refusal } from '../problem.ts';
import { explained, maybe, text, whole } from '../route/schema-words.ts';
import { readRoute } from './look-routes.ts';
import { namesOf, wholeFrom } from './query.ts';

/** Of places in a ledger. */
const LAST_ENTRY = 999_999_999_999_999;

const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'x-accel-buffering': 'no',
};

export const streamRoute = readRoute.get('/v1/stream', {
  id: 'stream',
  summary: 'Stream new ledger entries as server-sent events.',
  query: {
    session: maybe(text('Only entries of this session.')),
    kind: namesOf(ENTRY_KINDS),
    after: maybe(explained(wholeFrom(0, LAST_ENTRY), 'Same as Last-Event-ID.')),
  },
  headers: { 'Last-Event-ID': maybe(whole('Resume after this event.')) },
  content: { 'text/event-stream': streamEntrySchema },
  statuses: {
    200: '`event: entry` with a StreamEntry as data, `event: gap` where entries were skipped, comments as keep-alives.',
  },
  refuses: { 503: 'Too many listeners.' },
  handle({ query: { session, after, kind = ENTRY_KINDS }, context }, { stream }) {
    const known = context.req.header('last-event-id') ?? after?.toString();
    if (known !== undefined && !/^\d{1,20}(?:\.\d{1,10})?$/.test(known))
      throw new Refusal(
        400,
        'bad-query',
        'Expected Last-Event-ID to be the id of an event of this stream, got something else.',
      );
    // HEAD responses have no body.
    if (context.req.method === 'HEAD') return context.body(null, 200, HEADERS);
    const isWanted = (row: { kind: LedgerEntry['kind']; session: string }): boolean =>
      kind.includes(row.kind as EntryKind) && (session === undefined || row.session === session);
    const body = stream.listen(isWanted, known);
    if (!body)
      throw new Refusal(
        503,
        'too-many-listeners',
        `Too many listeners: at most ${stream.listeners}. Try again later.`,
      );
    return context.body(body, 200, HEADERS);
  },
});
