import { redact } from '@unrut/engine/redact/redact';
import { cut, printable } from '@unrut/engine/text/printable';
import type { SqlDialect } from '../reports/sql/asking.ts';
import { tell } from './find-incidents.ts';
import type { IncidentNote, Incidents } from './incident.ts';
import { asked, type Steps } from './steps.ts';

const MAX_NOTE = 500;
/** Notes of an incident, the oldest out first. */
const MAX_NOTES = 50;

interface Found {
  project: number;
  id: string;
  resolved: number | null;
  notes: string;
}

const found = (id: string, { scope }: SqlDialect): Steps<Found[]> =>
  asked<Found>(
    `SELECT i.project, i.id, i.resolved, i.notes FROM unrut.incidents i WHERE ${scope('i')} AND i.id = $1`,
    id,
  );

/** Performs a user's action on an incident; false if the incident does not exist. */
export function* changeIncident(
  id: string,
  { act, by, at, text = '' }: Parameters<Incidents['act']>[1],
  dialect: SqlDialect,
): Steps<boolean> {
  const [incident] = yield* found(id, dialect);
  if (!incident) return false;
  const { project, resolved, notes } = incident;
  const set = (columns: string, ...values: unknown[]): Steps<object[]> =>
    asked(
      `UPDATE unrut.incidents SET ${columns} WHERE org = :org AND project = $1 AND id = $2`,
      ...[project, id, ...values],
    );
  if (act === 'acknowledge') yield* set('acknowledged = $3, acknowledged_by = $4', at, by);
  else if (act === 'note') {
    const said = cut(printable(redact(text)).trim(), MAX_NOTE);
    const all = [...(JSON.parse(notes) as IncidentNote[]), { at, by, text: said }];
    yield* set('notes = $3', JSON.stringify(all.slice(-MAX_NOTES)));
  } else if (resolved === null) {
    yield* set('resolved = $3, resolved_by = $4', at, by);
    yield* tell({ project, id }, 'resolved', at);
  }
  return true;
}

/** The sessions of an incident, latest failure first. */
export function* incidentSessions(
  id: string,
  most: number,
  dialect: SqlDialect,
): Steps<string[] | undefined> {
  const { scope, key } = dialect;
  if ((yield* found(id, dialect)).length === 0) return undefined;
  const rows = yield* asked<{ session: string }>(
    `SELECT s.session FROM unrut.incidents i
      JOIN unrut.cause_sessions c ON c.org = i.org AND c.project = i.project AND c.cause = i.cause AND c.last >= i.first
      JOIN unrut.sessions s ON ${scope('s')} AND s.${key} = c.${key}
      WHERE ${scope('i')} AND i.id = $1 ORDER BY c.last DESC, s.session LIMIT $2`,
    ...[id, most],
  );
  return rows.map(({ session }) => session);
}
