import type { RecordedPlan } from '@unrut/engine/account/entry';
import { isAdvice } from '@unrut/engine/detectors';
import { type RecoveryRow, recoveryRows } from '@unrut/engine/outcome/learned-from';
import type { Outcome } from '@unrut/engine/outcome/outcome';
import type { Signal } from '@unrut/engine/signal';
import { DAY } from '@unrut/ledger/figures/hour-figures';
import { LEARNED, MAX_OUTCOMES } from '@unrut/ledger/learned';
import type { LedgerEntry } from '@unrut/ledger/ledger';
import type {
  PlanRow,
  SessionHistory,
  SignalsQuery,
  SignalsReport,
} from '@unrut/ledger/reports/reports';
import { type Asking, Values } from '@unrut/ledger/reports/sql/asking';
import type { NamedRow } from '@unrut/ledger/reports/sql/session-names';
import { type Hidden, isNamedIn } from '@unrut/ledger/reports/sql/session-rows';
import { type EntryRead, entryIn, idOf } from '../entry-rows.ts';
import { epochMilliseconds, timeOf } from '../sql.ts';
import { inScope } from './report-scope.ts';

/** Max number of a session's entries to read; the newest are used. */
const MAX_ENTRIES = 40_000;
/** Time windows to search for the newest rows, one after another; most rows are in the last day. */
const WINDOWS = [DAY, 8 * DAY, 40 * DAY, 4000 * DAY];
/**
 * Days for which a session keeps one row number: an entry's partition is at most that much older
 * than the entry.
 */
const BORN_BEFORE = 8;

/** Limits a query to partitions that can have entries at or after a time. */
const bornFor = (table: string, time: string): string =>
  `${table}.born >= (${time} AT TIME ZONE 'UTC')::date - ${BORN_BEFORE}`;

interface FoundRow {
  key: string;
  session: string;
  session_no: string;
  agent: string | null;
  at: number;
  step: number;
  data: object;
  host: string | null;
  called: string | null;
  outcome?: Outcome['outcome'] | null;
}

/** The tool called at the time of a finding. */
const CALLED = `(SELECT e.data ->> 'tool' FROM unrut.events e WHERE e.born = f.born AND e.session_no = f.session_no AND e.at = f.at
  AND e.data ->> 'tool' IS NOT NULL LIMIT 1) AS called`;

interface FoundQuery {
  kind: 'signal' | 'plan';
  most: number;
  since: number;
  until?: number;
  /** More conditions, with their values. */
  where: string[];
  values: Values;
  columns?: string;
}

/** Number of parameters shared by all queries for findings. */
const SHARED = 4;

/** Limits rows to those that the viewer may see. */
function seenOnly({ dialect }: Asking, hidden: Hidden | undefined, values: Values): string[] {
  if (!hidden) return [];
  const isNamed = isNamedIn('o', hidden, values.add(hidden.from), dialect);
  return [
    `EXISTS (SELECT FROM unrut.sessions o WHERE o.org = :org AND o.session_no = f.session_no AND ${isNamed})`,
  ];
}

/** The newest findings first, one time window after another, so that few partitions are read. */
async function newestFound(
  { ask }: Asking,
  { kind, most, since, until = Number.POSITIVE_INFINITY, where, values, columns = '' }: FoundQuery,
): Promise<FoundRow[]> {
  const found: FoundRow[] = [];
  let before = until;
  for (const window of WINDOWS) {
    // Entries with a time in the future are among the newest.
    const from = Math.max(since, (Number.isFinite(until) ? until : Date.now()) - window);
    const sql = `SELECT f.key, s.session, f.session_no, f.agent, ${epochMilliseconds('f.at')} AS at, f.step, f.data, s.host, ${CALLED} ${columns}
      FROM (
        SELECT f.* FROM unrut.findings f WHERE ${inScope('f')} AND f.kind = $1 AND ${bornFor('f', timeOf('$3'))}
          AND f.at >= ${timeOf('$3')} AND f.at < coalesce(${timeOf('$4')}, 'infinity') ${where.map((each) => `AND ${each}`).join(' ')}
        ORDER BY f.at DESC, f.key DESC, f.session_no DESC LIMIT $2) f
      JOIN unrut.sessions s ON s.org = :org AND s.session_no = f.session_no
      ORDER BY f.at DESC, f.key DESC, f.session_no DESC`;
    found.push(
      ...(await ask<FoundRow>(
        sql,
        kind,
        most - found.length,
        from,
        Number.isFinite(before) ? before : null,
        ...values.list,
      )),
    );
    if (found.length >= most || from <= since) break;
    before = from;
  }
  return found;
}

/** A page of signals. */
export async function signalsPage(
  asking: Asking,
  query: SignalsQuery,
  hidden: Hidden | undefined,
): Promise<SignalsReport> {
  const { most, since = 0, session, detector, after } = query;
  const values = new Values(SHARED);
  const where = seenOnly(asking, hidden, values);
  if (session !== undefined)
    where.push(
      `f.session_no IN (SELECT n.session_no FROM unrut.sessions n WHERE n.org = :org AND n.session = ${values.add(session)})`,
    );
  if (detector !== undefined) where.push(`f.detector = ${values.add(detector)}`);
  if (after !== undefined) {
    const [number, key] = splitPlace(after.name);
    where.push(
      `(f.at, f.key, f.session_no) < (${timeOf(values.add(after.at))}, ${values.add(key)}, ${values.add(number)}::bigint)`,
    );
  }
  const from =
    detector === undefined ? since : Math.max(since, await firstSpoken(asking, detector));
  const found = await newestFound(asking, {
    kind: 'signal',
    most,
    since: from,
    until: after && after.at + 1,
    where,
    values,
  });
  const last = found.at(-1);
  return {
    signals: found.map(({ key, session: of, at, data, host, called }) => {
      const signal = data as Signal;
      return {
        ...signal,
        id: idOf(of, key),
        session: of,
        at,
        advice: isAdvice(signal),
        ...(host === null ? {} : { host }),
        ...(called === null ? {} : { tool: called }),
      };
    }),
    ...(last && found.length === most
      ? { next: { at: last.at, name: `${last.session_no} ${last.key}` } }
      : {}),
  };
}

function splitPlace(name: string): [number: string, key: string] {
  const at = name.indexOf(' ');
  return [/^\d+$/.test(name.slice(0, at)) ? name.slice(0, at) : '0', name.slice(at + 1)];
}

/**
 * The hour in which a detector first reported something, according to hourly sums; rows not yet
 * summed are read in any case.
 */
async function firstSpoken({ ask }: Asking, detector: string): Promise<number> {
  const [span] = await ask<{ from: number | null }>(
    `SELECT ${epochMilliseconds('min(d.hour)')} AS from FROM unrut.detector_hours d WHERE ${inScope('d')} AND d.detector = $1`,
    detector,
  );
  return span?.from ?? Date.now() - DAY;
}

/** The newest plans with their outcomes. */
export async function latestPlans(
  asking: Asking,
  since: number,
  most: number,
  hidden: Hidden | undefined,
): Promise<PlanRow[]> {
  const values = new Values(SHARED);
  const where = seenOnly(asking, hidden, values);
  const columns = `, (SELECT o.outcome FROM unrut.findings o WHERE o.born = f.born AND o.session_no = f.session_no AND o.kind = 'outcome'
    AND o.plan = f.plan AND o.agent IS NOT DISTINCT FROM f.agent AND o.at >= f.at ORDER BY o.at DESC, o.n DESC LIMIT 1) AS outcome`;
  const found = await newestFound(asking, { kind: 'plan', most, since, where, values, columns });
  return found.map(({ session, agent, at, step, data, called, outcome }) => {
    const { id, recovery, rung, reason, toModel, toHuman, shadow } = data as RecordedPlan;
    return {
      id,
      session,
      ...(agent === null ? {} : { agent }),
      at,
      step,
      recovery,
      rung,
      reason,
      toModel,
      toHuman,
      shadow,
      ...(called === null ? {} : { tool: called }),
      ...(outcome ? { outcome } : {}),
    };
  });
}

/**
 * Success of next moves by failure, from the newest outcomes since a time, or since learning was
 * last reset.
 */
export async function failureRows({ ask }: Asking, since: number): Promise<RecoveryRow[]> {
  const [reset] = await ask<{ at: number }>(
    `SELECT ${epochMilliseconds('c.timestamp')} AS at FROM unrut.context_entries c WHERE c.org = :org AND c.topic = $1
      ORDER BY c.timestamp DESC LIMIT 1`,
    LEARNED,
  );
  const from = Math.max(since, reset?.at ?? 0);
  const rows = await ask<{ session_no: string; data: LedgerEntry['data'] }>(
    `SELECT f.session_no, f.data FROM unrut.findings f WHERE ${inScope('f')} AND f.kind = 'outcome' AND ${bornFor('f', timeOf('$1'))}
      AND f.at >= ${timeOf('$1')} ORDER BY f.at DESC, f.key DESC LIMIT $2`,
    ...[from, MAX_OUTCOMES],
  );
  return recoveryRows(
    rows.reverse().map(({ session_no: session, data }) => ({ session, kind: 'outcome', data })),
  );
}

/** The history of a session; if it is too long, its newest part. */
export async function historyOf(
  { ask }: Asking,
  { session, project }: NamedRow,
): Promise<SessionHistory> {
  const [place] = await ask<{ numbers: string[]; from: string; to: string }>(
    `SELECT array_agg(s.session_no::text) AS numbers, min(least(s.born, (s.first AT TIME ZONE 'UTC')::date))::text AS from, max(s.born)::text AS to
      FROM unrut.sessions s WHERE ${inScope('s')} AND s.session = $1 AND s.project = $2`,
    ...[session.session, project],
  );
  const part = (table: string, kind: string): string =>
    `(SELECT e.key, e.agent, e.at, ${kind} AS kind, e.step, e.data, e.xid, e.n FROM unrut.${table} e
      WHERE e.org = :org AND e.session_no = ANY ($1::bigint[]) AND e.born BETWEEN $2::date - 1 AND $3::date
      ORDER BY e.at DESC LIMIT $4)`;
  const rows = await ask<EntryRead>(
    `SELECT e.key, e.agent, ${epochMilliseconds('e.at')} AS at, e.kind, e.step, e.data
      FROM (${part('events', "'event'")} UNION ALL ${part('findings', 'e.kind')}) e ORDER BY e.xid, e.n`,
    ...[place!.numbers, place!.from, place!.to, MAX_ENTRIES + 1],
  );
  return {
    session,
    entries: rows.slice(-MAX_ENTRIES).map((row) => entryIn(session.session, row)),
    whole: true,
    cut: rows.length > MAX_ENTRIES,
    place: { at: 0, name: '' },
  };
}
