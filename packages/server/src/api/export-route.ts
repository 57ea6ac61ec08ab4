import type { Ledger } from '@unrut/ledger/ledger';
import { entrySchema } from '../answers/sessions.ts';
import { readRoute } from './look-routes.ts';
import { sinceParam, sinceTime } from './query.ts';

const HEADERS = {
  'content-type': 'application/x-ndjson; charset=utf-8',
  'content-disposition': 'attachment; filename="unrut-export.ndjson"',
};

export const exportRoute = readRoute.get('/v1/export', {
  id: 'export',
  summary:
    'Export what is recorded as NDJSON, entries of a session in the order in which they came.',
  query: { since: sinceParam },
  content: { 'application/x-ndjson': entrySchema },
  statuses: { 200: 'One entry per line, as unrut ledger export writes them.' },
  handle({ query, context }, { reading }) {
    // HEAD responses have no body.
    if (context.req.method === 'HEAD') return context.body(null, 200, HEADERS);
    const lines = linesOf(reading.ledger, sinceTime(query.since, reading.now()));
    return context.body(streamOf(lines), 200, HEADERS);
  },
});

/** Yields the text of each page of entries. */
async function* linesOf(ledger: Ledger, since: number): AsyncGenerator<string> {
  for await (const entries of ledger.stream?.(since) ?? [await ledger.entries({ since })])
    if (entries.length > 0) yield entries.map((entry) => `${JSON.stringify(entry)}\n`).join('');
}

/** A body that is produced only as fast as it is read. */
function streamOf(lines: AsyncGenerator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream(
    {
      async pull(controller) {
        const { value, done } = await lines.next();
        if (done) controller.close();
        else controller.enqueue(encoder.encode(value));
      },
      async cancel() {
        await lines.return(undefined);
      },
    },
    { highWaterMark: 0 },
  );
}
