import { setTimeout as sleep } from 'node:timers/promises';
import type { EntryFeed, FedEntry } from '@unrut/ledger/reports/reports';
import type { Asking, Read } from '@unrut/ledger/reports/sql/asking';
import { type Hidden, isNamedIn } from '@unrut/ledger/reports/sql/session-rows';
import { type EntryRead, entryIn } from '../entry-rows.ts';
import { epochMilliseconds } from '../sql.ts';

/** Milliseconds between two looks. */
const EVERY = 1000;
/**
 * A session gets a new row number after seven days, so new rows are only in the partitions of these
 * days.
 */
const DAYS = 9;

interface FedRow extends EntryRead {
  session: string;
  xid: string;
  n: number;
}

/**
 * Entries in the order of their transactions: a position is a transaction number and a row's
 * position in it. A transaction is delivered only when no earlier one is still running, so that
 * none is left out.
 */
export function createEntryFeed(read: Read, hidden: Hidden | undefined): EntryFeed {
  return {
    async *turns(signal) {
      while (!signal.aborted) {
        yield;
        await sleep(EVERY, undefined, { signal }).catch(() => undefined);
      }
    },

    newest: () => read(async (asking) => `${await markOf(asking)}.0`),

    after: (place, most) =>
      read(async (asking) => {
        const mark = await markOf(asking);
        const { xid, n } = parsed(place);
        if (xid > BigInt(mark)) return undefined;
        const part = (table: string, kind: string): string =>
          `(SELECT e.key, e.session_no, e.agent, e.at, ${kind} AS kind, e.step, e.data, e.xid, e.n FROM unrut.${table} e
            WHERE e.org = :org AND e.born >= (now() AT TIME ZONE 'UTC')::date - ${DAYS}
              AND e.xid >= $1::xid8 AND e.xid < $2::xid8 AND (e.xid > $1::xid8 OR e.n >= $3)
            ORDER BY e.xid, e.n LIMIT $4)`;
        const rows = await asking.ask<FedRow>(
          `SELECT e.key, s.session, e.agent, ${epochMilliseconds('e.at')} AS at, e.kind, e.step, e.data, e.xid::text AS xid, e.n
            FROM (${part('events', "'event'")} UNION ALL ${part('findings', 'e.kind')}) e
            JOIN unrut.sessions s ON s.org = :org AND s.session_no = e.session_no
              AND :projects(s) AND ${hidden ? isNamedIn('s', hidden, '$5::text', asking.dialect) : '$5::text IS NULL'}
            ORDER BY e.xid, e.n LIMIT $4`,
          ...[String(xid), mark, n, most, hidden?.from ?? null],
        );
        return rows.map(toFed);
      }),

    isAfter(place, other) {
      const [one, two] = [parsed(place), parsed(other)];
      return one.xid === two.xid ? one.n > two.n : one.xid > two.xid;
    },
  };
}

/** All transactions below it have ended. */
async function markOf({ ask }: Asking): Promise<string> {
  const [row] = await ask<{ mark: string }>(
    'SELECT pg_snapshot_xmin(pg_current_snapshot())::text AS mark',
  );
  return row!.mark;
}

function parsed(place: string): { xid: bigint; n: number } {
  const [xid = '0', n = '0'] = place.split('.');
  return { xid: BigInt(xid), n: Number(n) };
}

const toFed = (row: FedRow): FedEntry => ({
  ...entryIn(row.session, row),
  place: `${row.xid}.${row.n + 1}`,
});
