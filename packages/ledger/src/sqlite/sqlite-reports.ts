import { setImmediate as nextTurn } from 'node:timers/promises';
import type { RecordedPlan } from '@unrut/engine/account/entry';
import { isAdvice } from '@unrut/engine/detectors';
import type { Signal } from '@unrut/engine/signal';
import { recoveriesIn } from '../learned.ts';
import type { Ledger, LedgerEntry } from '../ledger.ts';
import type { FedEntry, PlanRow, Reports, SessionHistory } from '../reports/reports.ts';
import type { Asking, Read } from '../reports/sql/asking.ts';
import { createSqlReports, type EntryReports } from '../reports/sql/create-sql-reports.ts';
import { rowNamed } from '../reports/sql/session-names.ts';
import { ledgerChanges } from '../views/ledger-changes.ts';
import { toEntry } from './change-rows.ts';
import type { LedgerFile } from './ledger-file.ts';
import { transaction } from './open-database.ts';
import { inItsWords, SQLITE } from './sqlite-dialect.ts';

export interface SqliteReportsOptions {
  path: string;
  now: () => number;
  /**
   * Max number of a session's entries to read; the newest are used. Default: 40,000, some tens of
   * megabytes.
   */
  mostEntries?: number;
}

/** The reports of a file, using the connection of its writer. */
export function createSqliteReports(
  file: LedgerFile,
  ledger: Ledger,
  { path, now, mostEntries = 40_000 }: SqliteReportsOptions,
): Reports {
  const ask: Asking['ask'] = async (sql, ...values) =>
    file.use((_, tables) => tables.ask(inItsWords(sql), values)) as never;
  const asking: Asking = { ask, dialect: SQLITE };

  /** Counts older sessions first, in slices, so that other work is not blocked. */
  const read: Read = async (act) => {
    while (
      file.use((database, tables) =>
        tables.hasMissing() ? transaction(database, () => tables.countMissing(now())) : false,
      )
    )
      await nextTurn();
    return act(asking);
  };

  return createSqlReports(read, entryReports(read, ledger, path, mostEntries, now), { now });
}

interface Row extends LedgerEntry {
  sequence: number;
  data: never;
}

const toRow = (row: object): Row =>
  ({ sequence: (row as Row).sequence, ...toEntry(row as never) }) as Row;

function entryReports(
  read: Read,
  ledger: Ledger,
  path: string,
  mostEntries: number,
  now: () => number,
): EntryReports {
  const rows = async (sql: string, ...values: unknown[]): Promise<Row[]> =>
    (await read(({ ask }) => ask<object>(sql, ...values))).map(toRow);
  const one = async (sql: string, ...values: unknown[]): Promise<unknown> =>
    Object.values((await read(({ ask }) => ask<object>(sql, ...values)))[0] ?? {})[0];
  const isAt = async (sequence: number, id: string): Promise<boolean> =>
    (await one('SELECT id FROM entries WHERE sequence = $1', sequence)) === id;
  const toolAt = async (session: string, at: number): Promise<{ tool?: string }> => {
    const tool = await one(TOOL_AT, session, at);
    return typeof tool === 'string' ? { tool } : {};
  };
  const newest = async (): Promise<number> =>
    Number((await one('SELECT max(sequence) FROM entries')) ?? 0);
  /** The last reported entry; its row id is reused if the newest entries are deleted. */
  let told: Row | undefined;

  return {
    async history(name, after): Promise<SessionHistory | undefined> {
      const named = await read((asking) => rowNamed(asking, name, { now: now() }));
      const session = named?.session;
      if (!session || name === '') return undefined;
      const goesOn = after !== undefined && (await isAt(after.at, after.name));
      const from = goesOn ? after.at : Number((await one(START_OF, name, mostEntries)) ?? 0);
      const found = await rows(OF_SESSION, name, from);
      const last = found.at(-1);
      return {
        session,
        entries: found.map(({ sequence: _, ...entry }) => entry),
        whole: !goesOn,
        cut: !goesOn && from > 0,
        place: last
          ? { at: last.sequence, name: last.id }
          : { at: from, name: goesOn ? after.name : '' },
      };
    },

    async signals({ most, since = 0, session, detector, after }) {
      const first = detector === undefined ? 0 : await one(FIRST_SPOKEN, detector);
      if (first === null) return { signals: [] };
      const found = await rows(
        NEWEST('signal'),
        ...[Math.max(since, Number(first ?? 0)), most, session ?? null, detector ?? null],
        ...[after?.at ?? null, Number(after?.name) || 0],
      );
      const last = found.at(-1);
      return {
        signals: await Promise.all(
          found.map(async ({ id, session: of, at, data }) => {
            const signal = data as Signal;
            const host = await one('SELECT host FROM sessions WHERE session = $1', of);
            return {
              ...signal,
              id,
              session: of,
              at,
              advice: isAdvice(signal),
              ...(typeof host === 'string' ? { host } : {}),
              ...(await toolAt(of, at)),
            };
          }),
        ),
        ...(last && found.length === most
          ? { next: { at: last.at, name: String(last.sequence) } }
          : {}),
      };
    },

    async latestPlans(since, most) {
      const found = await rows(NEWEST('plan'), since, most, null, null, null, 0);
      return Promise.all(
        found.map(async ({ session, agent, at, step, data }): Promise<PlanRow> => {
          const { id, recovery, rung, reason, toModel, toHuman, shadow } = data as RecordedPlan;
          const outcome = await one(OUTCOME_OF, session, id, agent ?? null, at);
          return {
            id,
            session,
            at,
            step,
            recovery,
            rung,
            reason,
            toModel,
            toHuman,
            shadow,
            ...(agent === undefined ? {} : { agent }),
            ...(await toolAt(session, at)),
            ...(typeof outcome === 'string' ? { outcome: outcome as PlanRow['outcome'] } : {}),
          };
        }),
      );
    },

    failures: (since) => recoveriesIn(ledger, since),

    async runs({ ends, most, after }) {
      const found = await read(({ ask }) =>
        ask<{ run: string; last: number }>(
          RUNS,
          ...[JSON.stringify(ends), most + 1, after?.at ?? null, after?.name ?? ''],
        ),
      );
      const runs = found.slice(0, most).map(({ run, last }) => ({ run, last }));
      const last = runs.at(-1);
      return {
        runs,
        ...(last && found.length > most ? { next: { at: last.last, name: last.run } } : {}),
      };
    },

    feed: {
      turns: (signal) => ledgerChanges(path, signal),
      newest: async () => String(await newest()),
      async after(place, most): Promise<FedEntry[] | undefined> {
        const sequence = Number(place);
        const isGone = told?.sequence === sequence && !(await isAt(sequence, told.id));
        if (isGone || sequence > (await newest())) return undefined;
        const found = await rows(
          'SELECT * FROM entries WHERE sequence > $1 ORDER BY sequence LIMIT $2',
          ...[sequence, most],
        );
        told = found.at(-1) ?? told;
        return found.map(({ sequence: at, ...entry }) => ({ ...entry, place: String(at) }));
      },
      isAfter: (place, other) => Number(place) > Number(other),
    },
  };
}

const OF_SESSION =
  'SELECT * FROM entries INDEXED BY entries_by_session WHERE session = $1 AND sequence > $2 ORDER BY sequence';
const START_OF =
  'SELECT sequence FROM entries WHERE session = $1 ORDER BY sequence DESC LIMIT 1 OFFSET $2';
const TOOL_AT =
  "SELECT data ->> 'tool' FROM entries WHERE session = $1 AND at = $2 AND kind = 'event' AND data ->> 'tool' IS NOT NULL";
/** In hours; null if it never reported anything. */
const FIRST_SPOKEN = `SELECT min(hour) FROM detector_hours WHERE detector = $1 AND signals > 0`;
const NEWEST = (kind: 'signal' | 'plan'): string =>
  `SELECT * FROM entries WHERE kind = '${kind}' AND at >= $1 AND ($3 IS NULL OR session = $3)
    AND ($4 IS NULL OR data ->> 'detector' = $4) AND ($5 IS NULL OR (at, sequence) < ($5, $6))
    ORDER BY at DESC, sequence DESC LIMIT $2`;
const OUTCOME_OF = `SELECT data ->> 'outcome' FROM entries WHERE session = $1 AND kind = 'outcome' AND data ->> 'plan' = $2
  AND agent IS $3 AND at >= $4 ORDER BY at DESC, sequence DESC LIMIT 1`;
const RUNS = `SELECT r.run, ifnull(s.last, 0) AS last FROM (
    SELECT DISTINCT substr(t.session, 1, length(t.session) - length(e.value)) AS run FROM states t
      JOIN json_each($1) e ON substr(t.session, -length(e.value)) = e.value
  ) r LEFT JOIN sessions s ON s.session = r.run
  WHERE $3 IS NULL OR ifnull(s.last, 0) < $3 OR (ifnull(s.last, 0) = $3 AND r.run > $4)
  ORDER BY 2 DESC, r.run LIMIT $2`;
