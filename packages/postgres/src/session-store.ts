import { UnrutError } from '@unrut/engine/errors';
import type { Json } from '@unrut/engine/event';
import { jsonTextOf } from '@unrut/ledger/json-text';
import type { LedgerChange, LedgerEntry, SavedState } from '@unrut/ledger/ledger';
import type { MemoryRoom } from '@unrut/ledger/memory-room';
import { processMemory } from '@unrut/ledger/processes/process-memory';
import { RepeatedEntry } from '@unrut/ledger/repeated-entry';
import type { PoolClient } from 'pg';
import type { Database } from './database.ts';
import { fromStored, type KeptSession, NEW_SESSION, stateTextOf } from './kept-sessions.ts';
import { codeOf, NO_DAY } from './postgres-error.ts';
import { findEntries } from './read-queries.ts';
import type { StoredState } from './state-codec.ts';
import { inOrganisation } from './transaction.ts';
import { createTurns } from './turns.ts';
import {
  keyIn,
  prepareGroup,
  projectIn,
  sessionKeys,
  type WriteRequest,
  type WriteScope,
} from './write-group.ts';
import {
  CALL_WRITE,
  createWriter,
  KnownEntries,
  makeDays,
  StaleSessions,
  toConcern,
  type WriterMeter,
} from './writer.ts';

type Change = (saved: readonly SavedState[]) => LedgerChange;

/** Loads, changes and saves the sessions of one organisation. */
export interface SessionStore {
  /** As `Ledger.update`. No session is named twice. */
  update(
    sessions: readonly string[],
    change: Change,
    repeatable: boolean,
    scope: WriteScope,
  ): Promise<number[]>;
  load(session: string, project: number): Promise<Json | null>;
  /** Forgets one session in every project, or all sessions. */
  forget(session: string | undefined): void;
}

/** The counters that a store reports to. */
export interface StoreMeter extends WriterMeter {
  loaded(sessions: number): void;
}

/** After this many conflicts the rows are locked first, so that every writer makes progress. */
const MAX_LOSSES = 2;
/**
 * Number of writes that load a session first after a conflict: if requests are spread over servers,
 * another write by others is likely soon.
 */
const ASKS = 8;
/** Approximate overhead of a cached session, in bytes. */
const AROUND = 500;
const CALL_LOAD =
  'SELECT session, version::double precision AS version, codec, base, delta FROM unrut.load_2($1, $2, $3, $4)';

export function createSessionStore(
  database: Database,
  org: number,
  meter: StoreMeter,
  room: MemoryRoom = processMemory,
): SessionStore {
  /** Recently used sessions, so that they need not be loaded before each write. */
  const kept = new Map<string, KeptSession>();
  const inMemory = room.share((key) => kept.delete(key));
  function keep(key: string, session: KeptSession): void {
    kept.set(key, session);
    const { baseText, delta, count } = session;
    inMemory.put(key, AROUND + baseText.length + (delta?.length ?? 0) + (count?.length ?? 0));
  }
  function drop(key: string): void {
    kept.delete(key);
    inMemory.take(key);
  }
  const turns = createTurns();
  const writer = createWriter(database, meter);

  /**
   * Uses the cached session if there is one; the write detects whether it is current. Contended
   * sessions are loaded first.
   */
  async function current(
    names: readonly string[],
    project: number,
  ): Promise<Map<string, KeptSession>> {
    const key = (name: string): string => keyIn(project, name);
    const before = new Map(names.map((name) => [name, kept.get(key(name)) ?? UNKNOWN]));
    const asked = names.filter((name) => before.get(name)!.asks > 0);
    if (asked.length === 0) return before;
    meter.loaded(asked.length);
    const found = loaded(
      asked,
      await database.query<StateRow>('load_2', CALL_LOAD, [org, project, asked, false]),
      before,
    );
    for (const name of asked) {
      const now = kept.get(key(name));
      // Another task in this process may have stored a newer one meanwhile.
      const session = now && now !== before.get(name) ? now : found.get(name)!;
      before.set(name, session);
      keep(key(name), session);
    }
    return before;
  }

  function askNextTime(keys: readonly string[]): void {
    for (const key of keys) keep(key, { ...(kept.get(key) ?? NEW_SESSION), asks: ASKS });
  }

  /**
   * Writes a change of these sessions. Entries that exist already are skipped unless they must be
   * new.
   */
  async function write(of: Given, changed: LedgerChange, scope: WriteScope): Promise<number[]> {
    const project = projectIn(scope);
    let entries = distinct(changed);
    for (;;) {
      const others = await current(othersIn(entries, of), project);
      const request = requestOf(of, others, changed, entries, scope);
      if (request.sessions.size === 0 && request.context.length === 0) return [];
      try {
        const after = await writer.write(request);
        for (const key of sessionKeys(request)) if (after.has(key)) keep(key, after.get(key)!);
        return versionsOf(request, after);
      } catch (error) {
        if (error instanceof KnownEntries) {
          entries = withoutKnown(entries, error.keys, changed, project);
          continue;
        }
        if (!(error instanceof StaleSessions)) {
          for (const key of sessionKeys(request)) drop(key);
          throw error;
        }
        askNextTime(error.keys);
        const own = new Set([...of.keys()].map((name) => keyIn(project, name)));
        if (error.keys.some((key) => own.has(key))) throw error;
      }
    }
  }

  /** Locks the sessions, so that the change runs only once. */
  async function updateLocked(
    names: readonly string[],
    change: Change,
    scope: WriteScope,
  ): Promise<number[]> {
    const project = projectIn(scope);
    askNextTime(names.map((name) => keyIn(project, name)));
    return inOrganisation(database, org, async (client) => {
      const lock = async (which: readonly string[]): Promise<Given> =>
        which.length === 0
          ? new Map()
          : loaded(
              which,
              (await client.query<StateRow>(CALL_LOAD, [org, project, which, true])).rows,
            );
      meter.loaded(names.length);
      const of = await lock(names);
      const changed = change(savedIn(of));
      const entries = await withoutKnownIn(client, changed, project);
      const request = requestOf(of, await lock(othersIn(entries, of)), changed, entries, scope);
      const prepared = prepareGroup([request]);
      try {
        await client.query(CALL_WRITE, prepared.values);
      } catch (error) {
        // Creates the partitions for the next attempt, since this change may not be repeatable.
        if (codeOf(error) === NO_DAY) await makeDays(database);
        const concern = toConcern(error, prepared);
        if (concern instanceof KnownEntries) withoutKnown(entries, concern.keys, changed, project);
        throw concern;
      }
      return versionsOf(request, prepared.after);
    });
  }

  async function withoutKnownIn(
    client: PoolClient,
    changed: LedgerChange,
    project: number,
  ): Promise<LedgerEntry[]> {
    const entries = distinct(changed);
    const under = (changed.entries ?? []).map(({ id }) => id);
    if (under.length === 0) return entries;
    const found = await findEntries(client, { org, project }, { under });
    const known = new Set(found.map(({ id }) => keyIn(project, id)));
    return withoutKnown(entries, known, changed, project);
  }

  return {
    async update(names, change, repeatable, scope) {
      const project = projectIn(scope);
      const endTurn = await turns.take(names.map((name) => keyIn(project, name)));
      try {
        // An update without sessions depends on no state and is always repeatable.
        for (let losses = 0; (repeatable || names.length === 0) && losses < MAX_LOSSES; losses++) {
          const of = await current(names, project);
          const changed = change(savedIn(of));
          try {
            return await write(of, changed, scope);
          } catch (error) {
            if (!(error instanceof StaleSessions)) throw error;
            // We re-read and still lost the race: the session is contended, so lock it.
            if ([...of.values()].some(({ asks }) => asks > 0)) break;
          }
        }
        return await updateLocked(names, change, scope);
      } finally {
        endTurn();
      }
    },
    async load(session, project) {
      const values = [org, project, [session], false];
      const rows = await database.query<StateRow>('load_2', CALL_LOAD, values);
      return savedIn(loaded([session], rows))[0]!.read();
    },
    forget(session) {
      for (const key of kept.keys())
        if (session === undefined || key.slice(key.indexOf(' ') + 1) === session) drop(key);
    },
  };
}

type Given = ReadonlyMap<string, KeptSession>;

interface StateRow extends StoredState {
  session: string;
  version: number;
}

/** Keeps cached data that is still valid. */
function loaded(
  names: readonly string[],
  rows: readonly StateRow[],
  before: Given = new Map(),
): Map<string, KeptSession> {
  const found = new Map(rows.map((row) => [row.session, row]));
  return new Map(
    names.map((name) => {
      const { session: _, version, ...stored } = found.get(name) ?? NO_ROW;
      const known = before.get(name) ?? UNKNOWN;
      if (known !== UNKNOWN && known.version === version)
        return [name, { ...known, asks: known.asks - 1 }];
      const now = version === 0 ? NEW_SESSION : fromStored(version, stored);
      return [name, known === UNKNOWN ? now : { ...now, asks: ASKS }];
    }),
  );
}

/** A session that is not cached. */
const UNKNOWN: KeptSession = { ...NEW_SESSION, asks: 1 };
const NO_ROW: StateRow = { session: '', version: 0, codec: 0, base: null, delta: null };

const savedIn = (of: Given): SavedState[] =>
  [...of.values()].map((session) => ({
    version: session.saved,
    read() {
      if (session.broken)
        throw new UnrutError('bad-snapshot', '[postgres] The saved state cannot be read.', {
          cause: session.broken,
        });
      return session.saved === 0 ? null : (JSON.parse(stateTextOf(session)) as Json);
    },
  }));

/** The states belong to the first of these sessions. */
function requestOf(
  of: Given,
  others: Given,
  changed: LedgerChange,
  entries: readonly LedgerEntry[],
  scope: WriteScope,
): WriteRequest {
  const names = [...of.keys()];
  return {
    sessions: new Map([...of, ...others]),
    entries,
    context: changed.context ?? [],
    scope,
    states: new Map((changed.states ?? []).map((state, i) => [names[i]!, jsonTextOf(state)])),
  };
}

const versionsOf = ({ states, scope }: WriteRequest, after: Given): number[] =>
  [...states.keys()].map((name) => after.get(keyIn(projectIn(scope), name))!.version);

/** Each id once, in order. */
const distinct = ({ once = [], entries = [] }: LedgerChange): LedgerEntry[] =>
  [
    ...new Map([...once, ...entries].reverse().map((entry) => [entry.id, entry])).values(),
  ].reverse();

const othersIn = (entries: readonly LedgerEntry[], of: Given): string[] =>
  [...new Set(entries.map(({ session }) => session))].filter((name) => !of.has(name));

/** Removes existing entries. Throws if one of them had to be new. */
function withoutKnown(
  entries: readonly LedgerEntry[],
  known: ReadonlySet<string>,
  { once = [] }: LedgerChange,
  project: number,
): LedgerEntry[] {
  const isKnown = ({ id }: LedgerEntry): boolean => known.has(keyIn(project, id));
  const repeated = once.find(isKnown);
  if (repeated) throw new RepeatedEntry(repeated.id);
  return entries.filter((entry) => !isKnown(entry));
}
