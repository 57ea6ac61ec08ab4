import { parsed } from '@unrut/engine/json';
import type { Signal } from '@unrut/engine/signal';
import { causeOf } from '../incidents/cause.ts';
import { changeIncident, incidentSessions } from '../incidents/change-incident.ts';
import { type CauseSeen, findIncidents, noteSightings } from '../incidents/find-incidents.ts';
import { type Incidents, WITHIN } from '../incidents/incident.ts';
import { runSteps, type Steps } from '../incidents/steps.ts';
import type { LedgerFile } from './ledger-file.ts';
import { transaction } from './open-database.ts';
import { inItsWords, SQLITE } from './sqlite-dialect.ts';
import type { Tables } from './tables.ts';

/** Number of signals read at once. */
const PAGE = 2000;

interface SignalRead {
  sequence: number;
  session: string;
  at: number;
  data: string;
  label: string | null;
  tool: string | null;
  repo: string | null;
  folder: string | null;
}

const FIRST_MARK =
  "SELECT ifnull(min(sequence) - 1, (SELECT ifnull(max(sequence), 0) FROM entries)) AS mark FROM entries WHERE kind = 'signal' AND at >= ?";
const SIGNALS = `SELECT e.sequence, e.session, e.at, e.data, s.repo, s.folder,
    (SELECT v.data ->> '$.seen.call.label' FROM entries v WHERE v.session = e.session AND v.at = e.at AND v.kind = 'event'
      AND v.data ->> '$.seen.call.label' IS NOT NULL LIMIT 1) AS label,
    (SELECT v.data ->> '$.seen.call.tool' FROM entries v WHERE v.session = e.session AND v.at = e.at AND v.kind = 'event'
      AND v.data ->> '$.seen.call.tool' IS NOT NULL LIMIT 1) AS tool
  FROM entries e JOIN sessions s ON s.session = e.session
  WHERE e.sequence > ? AND e.kind = 'signal' AND e.at >= ? ORDER BY e.sequence LIMIT ${PAGE}`;

/** The incidents of a file. */
export function createSqliteIncidents(file: LedgerFile): Incidents {
  const run = <T>(steps: Steps<T>): T =>
    file.use((database, tables) => transaction(database, () => runIn(tables, steps)));

  return {
    async look(now) {
      while (file.use((database, tables) => transaction(database, () => noteSome(tables, now))));
      run(findIncidents(now, SQLITE));
    },
    act: async (id, order) => run(changeIncident(id, order, SQLITE)),
    sessionsOf: async (id, most) => run(incidentSessions(id, most, SQLITE)),
  };
}

const runIn = <T>(tables: Tables, steps: Steps<T>): T =>
  runSteps(steps, ({ sql, values }) => tables.ask(inItsWords(sql), values));

/** Notes the next signals; whether there are more. */
function noteSome(tables: Tables, now: number): boolean {
  const one = (sql: string, ...values: unknown[]): { mark: number | null } =>
    tables.ask(sql, values)[0] as never;
  const since = now - WITHIN;
  const { mark: known } = one('SELECT mark FROM upkeep');
  const { mark: newest } = one('SELECT ifnull(max(sequence), 0) AS mark FROM entries');
  const mark = Math.min(known ?? one(FIRST_MARK, since).mark!, newest!);
  const rows = tables.ask(SIGNALS, [mark, since]) as SignalRead[];
  runIn(
    tables,
    noteSightings(
      rows.flatMap((row) => sightingIn(row, now) ?? []),
      SQLITE,
    ),
  );
  const isMore = rows.length === PAGE;
  const next = isMore ? rows.at(-1)!.sequence : newest!;
  if (next !== known) tables.ask('UPDATE upkeep SET mark = ?', [next]);
  return isMore;
}

function sightingIn(
  { session, at, data, label, tool, repo, folder }: SignalRead,
  now: number,
): CauseSeen | undefined {
  const signal = parsed(data) as Signal;
  const cause = causeOf({
    signal,
    label: label ?? undefined,
    tool: tool ?? undefined,
    repo: repo ?? undefined,
    folder: folder ?? undefined,
  });
  if (!cause) return undefined;
  // Agents' clocks may be ahead.
  return { project: 1, session, cause, at: Math.min(at, now), calls: signal.count };
}
