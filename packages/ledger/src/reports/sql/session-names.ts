import type { SessionRow, StatsQuery } from '../reports.ts';
import { type Asking, LAST_CHARACTER } from './asking.ts';
import {
  calledNow,
  columnsRead,
  type FiguresRow,
  isNamed,
  isNamedIn,
  type Neighbours,
  nameNeighbours,
  type ShownAs,
  toSessionRow,
} from './session-rows.ts';

/** The session with that name; the newest if there are several. */
export async function rowNamed(
  { ask, dialect }: Asking,
  name: string,
  shown: ShownAs,
): Promise<NamedRow | undefined> {
  const rows = await ask<FiguresRow>(
    `SELECT ${columnsRead(dialect)}, ${nameNeighbours(dialect)} FROM unrut.sessions s
      WHERE ${dialect.scope('s')} AND s.minute >= 0 AND s.session = $1 ORDER BY s.last DESC`,
    name,
  );
  const row = rows.find((each) => isNamed(each, shown.hidden));
  return row && { session: toSessionRow(row, shown), project: row.project };
}

/** A session, and the number of its project. */
export interface NamedRow {
  session: SessionRow;
  project: number;
}

/** Names that begin so. */
export async function namesBeginning(
  { ask, dialect }: Asking,
  beginning: string,
  most: number,
  { hidden }: ShownAs,
): Promise<string[]> {
  const mine = hidden ? `AND ${isNamedIn('s', hidden, '$4', dialect)}` : '';
  const rows = await ask<{ session: string }>(
    `SELECT DISTINCT s.session FROM unrut.sessions s WHERE ${dialect.scope('s')} AND s.minute >= 0
      AND s.session >= $1 AND s.session < $2 ${mine} ORDER BY s.session LIMIT $3`,
    ...[beginning, beginning + LAST_CHARACTER, most, ...(hidden ? [hidden.from] : [])],
  );
  return rows.map(({ session }) => session);
}

/** The displayed names of sessions. */
export async function shortNamesOf(
  { ask, dialect }: Asking,
  sessions: readonly string[],
): Promise<Map<string, string>> {
  const names = new Map<string, string>();
  for (const session of sessions) {
    const [row] = await ask<Neighbours>(
      `SELECT s.session, ${nameNeighbours(dialect)} FROM (SELECT CAST($1 AS text) AS session) s`,
      session,
    );
    names.set(session, calledNow(row!));
  }
  return names;
}

/** Sessions that have wasted the most. */
export async function costliestSessions(
  { ask, dialect }: Asking,
  { since, costliest = 'usd' }: StatsQuery,
  most: number,
  shown: ShownAs,
): Promise<SessionRow[]> {
  const order = `ORDER BY s.wasted_${costliest} DESC, s.wasted_steps DESC, s.minute DESC, s.last DESC, s.session`;
  const rows = await ask<FiguresRow>(
    `SELECT ${columnsRead(dialect)}, ${nameNeighbours(dialect)} FROM (
      SELECT * FROM unrut.sessions s WHERE ${dialect.scope('s')} AND s.minute >= 0 AND s.loops > 0 AND s.wasted_steps > 0
        AND s.last >= ${dialect.time('$1')} ${order} LIMIT $2) s ${order}`,
    ...[since, most],
  );
  return rows.map((row) => toSessionRow(row, shown));
}
