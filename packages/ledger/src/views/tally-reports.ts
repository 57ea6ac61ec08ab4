import { readAccount } from '@unrut/engine/account/account';
import type { RecordedPlan } from '@unrut/engine/account/entry';
import { isAdvice } from '@unrut/engine/detectors';
import type { Signal } from '@unrut/engine/signal';
import { recoveriesIn } from '../learned.ts';
import type { Ledger } from '../ledger.ts';
import { HOUR } from '../reports/hour-figures.ts';
import type {
  PlanRow,
  Reports,
  RunName,
  SessionHistory,
  SessionRow,
  SessionsQuery,
  SessionsReport,
} from '../reports/reports.ts';
import { shownName } from '../reports/session-name.ts';
import {
  mostWasted,
  NO_FACETS,
  newestFirst,
  ORDERS,
  pageOf,
  sessionFilter,
} from '../reports/session-pages.ts';
import { SESSION_STATES, type SessionSummary, stateOf } from '../reports/session-summary.ts';
import type { StallLimits } from '../reports/stall.ts';
import type { LedgerRows, NewestQuery } from '../sqlite/ledger-rows.ts';
import { shortNames } from './find-session.ts';
import { createTallies, type LedgerTallies, slicesOfSession } from './ledger-tallies.ts';
import { SessionTally } from './session-tally.ts';
import { fileSource, type TallySource, wholeSource } from './tally-source.ts';
import { sumTallies } from './tally-sums.ts';

export interface TallyReportsOptions {
  now?: () => number;
  /** When a session counts as stalled. */
  stall?: StallLimits | undefined;
  /**
   * Entries of a session that are looked at, the newest. Default: 40,000, some tens of megabytes.
   */
  mostEntries?: number;
}

/**
 * What a ledger answers: by itself where it can, else from tallies of all its sessions. `path` is
 * its file, where it has one.
 */
export const reportsOf = (
  ledger: Ledger,
  path?: string,
  options: TallyReportsOptions = {},
): Reports =>
  ledger.reports ??
  tallyReports(path === undefined ? wholeSource(ledger) : fileSource(ledger, path), options);

const MAX_COSTLY = 10;
const MAX_FOUND = 1000;

/**
 * Answers from tallies, which are kept up to date from the first question on that needs all of
 * them.
 */
function tallyReports(
  source: TallySource,
  { now = Date.now, mostEntries = 40_000, stall }: TallyReportsOptions = {},
): Reports {
  const lastHeard = createLastHeard(now);
  let known:
    | { rows: LedgerRows; tallies: LedgerTallies; names: Names; generation: number }
    | undefined;

  async function all(): Promise<{
    rows: LedgerRows;
    sessions: ReadonlyMap<string, SessionTally>;
    names: Names;
  }> {
    const rows = await source.rows();
    if (known?.rows !== rows)
      known = { rows, tallies: createTallies(rows, now), names: new Map(), generation: -1 };
    const current = known;
    const { tallies } = current;
    await tallies.catchUp();
    if (current.generation !== tallies.generation)
      current.names = shortNames([...tallies.sessions.keys()]);
    current.generation = tallies.generation;
    return { rows, sessions: tallies.sessions, names: current.names };
  }

  /** One session, without counting all others for it. */
  async function tallyOf(session: string): Promise<SessionTally | undefined> {
    const rows = await source.rows();
    if (known?.rows === rows) return (await all()).sessions.get(session);
    const row = rows.sessions().get(session);
    if (!row) return undefined;
    const tally = new SessionTally(session);
    for await (const slice of slicesOfSession(rows, session))
      for (const entry of slice) tally.add(entry);
    tally.hear(row);
    return tally;
  }

  function rowOf(tally: SessionTally, names: Names): SessionRow {
    const { summary, acted } = tally;
    const pulse = tally.pulse(now());
    return {
      ...summary,
      name: shownName(summary.session, names.get(summary.session)),
      state: stateOf({ ...summary, last: lastHeard(summary) }, now(), stall),
      acted: { ...acted },
      ...(pulse ? { pulse } : {}),
    };
  }

  async function namesIn(): Promise<Names> {
    const rows = await source.rows();
    return known?.rows === rows ? (await all()).names : namesOf(rows);
  }

  /** Only what a page shows is counted. */
  async function newestSessions({ since = 0, ...query }: SessionsQuery): Promise<SessionsReport> {
    const rows = await source.rows();
    const wanted = [...rows.sessions()]
      .flatMap(([session, { last }]) => (session === '' || last < since ? [] : [{ session, last }]))
      .sort(newestFirst);
    const { page, ...more } = pageOf(wanted, query);
    const names = namesOf(rows);
    const sessions: SessionRow[] = [];
    for (const { session } of page) {
      const tally = await tallyOf(session);
      if (tally) sessions.push(rowOf(tally, names));
    }
    return { sessions, ...more, total: wanted.length, ...NO_FACETS };
  }

  async function filteredSessions(query: SessionsQuery): Promise<SessionsReport> {
    const { sessions: tallies, names } = await all();
    const rowsOf = [...tallies.values()]
      .filter(({ summary }) => summary.session !== '')
      .map((tally) => rowOf(tally, names));
    const { sort } = query;
    const wanted = rowsOf
      .filter(sessionFilter(query))
      .sort((one, other) => (sort ? ORDERS[sort](one, other) : 0) || newestFirst(one, other));
    const { page, ...more } = pageOf(wanted, query);
    return {
      sessions: page,
      ...more,
      total: wanted.length,
      states: Object.fromEntries(
        SESSION_STATES.map((state) => [state, rowsOf.filter((row) => row.state === state).length]),
      ) as SessionsReport['states'],
      hosts: [...new Set(rowsOf.flatMap(({ host }) => host ?? []))].sort(),
      folders: [...new Set(rowsOf.flatMap(({ folder }) => folder ?? []))].sort(),
    };
  }

  async function latestPlans(since: number, most: number): Promise<PlanRow[]> {
    const { rows, sessions } = await all();
    return rows.newest({ kind: 'plan', since, most }).map(({ session, agent, at, step, data }) => {
      const { id, recovery, rung, reason, toModel, toHuman, shadow } =
        data as unknown as RecordedPlan;
      return {
        id,
        session,
        agent,
        at,
        step,
        recovery,
        rung,
        reason,
        toModel,
        toHuman,
        shadow,
        tool: rows.toolAt(session, at),
        outcome: sessions.get(session)?.outcomeOf(agent, id),
      };
    });
  }

  return {
    sessions: (query) => (isPlain(query) ? newestSessions(query) : filteredSessions(query)),

    async session(name) {
      const tally = name === '' ? undefined : await tallyOf(name);
      return tally && rowOf(tally, await namesIn());
    },

    async history(name, after) {
      const tally = name === '' ? undefined : await tallyOf(name);
      if (!tally) return undefined;
      const rows = await source.rows();
      const goesOn = after !== undefined && rows.has(after.at, after.name);
      const from = goesOn ? after.at : rows.startOf(name, mostEntries);
      const entries: SessionHistory['entries'] = [];
      let place = { at: from, name: goesOn ? after.name : '' };
      for await (const slice of slicesOfSession(rows, name, from))
        for (const { sequence, ...entry } of slice) {
          entries.push(entry);
          place = { at: sequence, name: entry.id };
        }
      return {
        account: readAccount(tally.account),
        entries,
        whole: !goesOn,
        cut: !goesOn && from > 0,
        place,
      };
    },

    find: async (beginning) =>
      [...(await source.rows()).sessions().keys()]
        .filter((name) => name !== '' && name.startsWith(beginning))
        .slice(0, MAX_FOUND),

    names: namesIn,

    async signals({ most, since = 0, session, detector, after }) {
      const { rows, sessions } = await all();
      const query: NewestQuery = {
        kind: 'signal',
        most,
        since,
        session,
        field: detector === undefined ? undefined : ['detector', detector],
        before: after && { at: after.at, sequence: Number(after.name) || 0 },
      };
      const span = detector === undefined ? {} : spanOf(detector, sessions.values());
      const found = span
        ? rows.newest({ ...query, ...span, since: Math.max(since, span.since ?? 0) })
        : [];
      const last = found.at(-1);
      return {
        signals: found.map(({ id, session, at, data }) => {
          const signal = data as unknown as Signal;
          return {
            ...signal,
            id,
            session,
            at,
            advice: isAdvice(signal),
            host: sessions.get(session)?.summary.host,
            tool: rows.toolAt(session, at),
          };
        }),
        ...(last && found.length === most
          ? { next: { at: last.at, name: String(last.sequence) } }
          : {}),
      };
    },

    async stats(query) {
      const { sessions, names } = await all();
      const byWaste = mostWasted(query.costliest);
      const costliest = [...sessions.values()]
        .filter(
          ({ summary: { session, loops, last, wasted } }) =>
            session !== '' && loops > 0 && last >= query.since && wasted.steps > 0,
        )
        .sort(
          ({ summary: one }, { summary: other }) => byWaste(one, other) || newestFirst(one, other),
        )
        .slice(0, MAX_COSTLY)
        .map((tally) => rowOf(tally, names));
      return { ...sumTallies(sessions.values(), query), costliest };
    },

    async recoveries({ since, most }) {
      const { plans } = sumTallies((await all()).sessions.values(), { since, by: 'day' });
      return {
        plans,
        failures: await recoveriesIn(source.ledger, since),
        latest: await latestPlans(since, most),
      };
    },

    async detectors({ since }) {
      const { detectors, detectorSessions } = sumTallies((await all()).sessions.values(), {
        since,
        by: 'day',
      });
      return { detectors, detectorSessions };
    },

    async runs({ ends, ...query }) {
      const kept = (await source.rows()).sessions();
      const names = new Set<string>();
      for (const end of ends) for (const name of await source.statesEndingIn(end)) names.add(name);
      const wanted = [...names]
        .map((session) => ({ session, last: kept.get(session)?.last ?? 0 }))
        .sort(newestFirst);
      const { page, ...more } = pageOf(wanted, query);
      return { runs: page.map(({ session, last }): RunName => ({ run: session, last })), ...more };
    },

    feed: source.feed,
    close: async () => source.close(),
  };
}

/** Nothing is asked for that only a look at every session tells. */
const isPlain = ({ most: _, after: __, since: ___, ...more }: SessionsQuery): boolean =>
  Object.values(more).every((value) => value === undefined || value === false);

type Names = ReadonlyMap<string, string>;

const namesOf = (rows: LedgerRows): Names => shortNames([...rows.sessions().keys()]);

/**
 * When a detector spoke first and last, to the hour; nothing where it never did. So only what may
 * be found is looked through.
 */
function spanOf(
  detector: string,
  sessions: Iterable<SessionTally>,
): { since?: number; until?: number } | undefined {
  let [first, last] = [Number.POSITIVE_INFINITY, 0];
  for (const { hours } of sessions)
    for (const [hour, { detectors }] of hours)
      if (detectors.has(detector)) [first, last] = [Math.min(first, hour), Math.max(last, hour)];
  return last === 0 ? undefined : { since: first * HOUR, until: (last + 1) * HOUR };
}

/**
 * When sessions were last heard of, by this machine's clock: when they say or, where their clock is
 * ahead, when that was first read here. So an agent whose clock is wrong does not seem to run for
 * ever. A summary is another object once there is a new entry.
 */
function createLastHeard(now: () => number): (summary: SessionSummary) => number {
  const ahead = new WeakMap<SessionSummary, number>();
  return (summary) => {
    const read = ahead.get(summary) ?? now();
    if (!ahead.has(summary) && summary.last <= read) return summary.last;
    ahead.set(summary, read);
    return read;
  };
}
