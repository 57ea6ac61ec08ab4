import type { ListPlace } from '@unrut/ledger/reports/reports';
import { entrySchema } from '../answers/sessions.ts';
import { readRoute } from './look-routes.ts';
import { sinceParam, sinceTime } from './query.ts';
import type { LedgerReading } from './reading.ts';

const HEADERS = {
  'content-type': 'application/x-ndjson; charset=utf-8',
  'content-disposition': 'attachment; filename="unrut-export.ndjson"',
};

export const exportRoute = readRoute.get('/v1/export', {
  id: 'export',
  summary: 'Export what is recorded as NDJSON, session by session, oldest entry first.',
  query: { since: sinceParam },
  content: { 'application/x-ndjson': entrySchema },
  statuses: { 200: 'One entry per line, as unrut ledger export writes them.' },
  handle({ query, context }, { reading }) {
    // Nobody would read what comes.
    if (context.req.method === 'HEAD') return context.body(null, 200, HEADERS);
    const lines = linesOf(reading, sinceTime(query.since, reading.now()));
    return context.body(streamOf(lines), 200, HEADERS);
  },
});

/** Sessions that are asked for at once. */
const PAGE = 200;
const DAY = 86_400_000;

/** The lines of one session after another. */
async function* linesOf(
  { reports, ledger, now }: Pick<LedgerReading, 'reports' | 'ledger' | 'now'>,
  since: number,
): AsyncGenerator<string> {
  const written = new Set<string>();
  // Sessions that become active meanwhile move to the front of the list, so it is read again.
  for (let from = since; ; from = Math.max(since, now() - DAY)) {
    const before = written.size;
    for (let after: ListPlace | undefined, isFirst = true; isFirst || after; isFirst = false) {
      const { sessions, next } = await reports.sessions({ most: PAGE, since: from, after });
      for (const { session } of sessions) {
        if (written.has(session)) continue;
        written.add(session);
        const entries = await ledger.entries({ session, ...(since > 0 ? { since } : {}) });
        if (entries.length > 0) yield entries.map((entry) => `${JSON.stringify(entry)}\n`).join('');
      }
      after = next;
    }
    if (written.size === before) return;
  }
}

/** A body that is produced as fast as it is read. */
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
