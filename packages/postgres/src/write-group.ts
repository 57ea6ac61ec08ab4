import { present } from '@unrut/engine/json';
import {
  countSession,
  type RowFigures,
  type SessionColumns,
  type SessionCount,
} from '@unrut/ledger/figures/count-session';
import type { ContextEntry, LedgerEntry } from '@unrut/ledger/ledger';
import { tallied } from '@unrut/ledger/ledger-entry';
import { contextRow, entryRow, rowsText, tableOf } from './entry-rows.ts';
import { type KeptSession, keptText, stateTextOf } from './kept-sessions.ts';
import { CODEC, encodeState } from './state-codec.ts';

/** What one update writes: all of it or nothing. */
export interface WriteRequest {
  /**
   * Sessions that must still be as they are here: those that it was made of, and those of its
   * entries.
   */
  sessions: ReadonlyMap<string, KeptSession>;
  /** The new states; other sessions keep theirs. */
  states: ReadonlyMap<string, string>;
  entries: readonly LedgerEntry[];
  context: readonly ContextEntry[];
  scope: WriteScope;
}

/** Whose sessions these are. */
export interface WriteScope {
  org: number;
  /**
   * The project of sessions that have none yet; a function is asked with what is known of the
   * session. Default: 1, the default project.
   */
  project?: number | ((session: Pick<SessionColumns, 'repo' | 'folder'>) => number);
  /** Who runs them, where events do not say. */
  person?: string;
}

/** A group of requests as `write_1` takes it, and what its sessions are once it is written. */
export interface PreparedGroup {
  values: unknown[];
  sessions: string[];
  after: Map<string, KeptSession>;
  /** Of the states that are written. */
  bytes: number;
}

const MINUTE = 60_000;

/** Puts requests together that have no session in common. */
export function prepareGroup(requests: readonly WriteRequest[]): PreparedGroup {
  const group = new Group();
  for (const request of requests) group.add(request);
  return group.prepared(requests[0]!.scope.org);
}

class Group {
  readonly #sessions: string[] = [];
  readonly #columns = {
    expected: [],
    version: [],
    codec: [],
    base: [],
    delta: [],
    first: [],
    last: [],
    events: [],
    signals: [],
  } as Columns;
  readonly #rows: Record<RowList, object[]> = {
    events: [],
    pieces: [],
    findings: [],
    context: [],
    figures: [],
  };
  readonly #states: Buffer[] = [];
  readonly #after = new Map<string, KeptSession>();
  #n = 0;

  add(request: WriteRequest): void {
    const bySession = Map.groupBy(request.entries, ({ session }) => session);
    for (const [session, kept] of request.sessions)
      this.#addSession(request, session, kept, bySession.get(session) ?? []);
    for (const entry of request.context) this.#rows.context.push(contextRow(entry, this.#n++));
  }

  prepared(org: number): PreparedGroup {
    const states = Buffer.concat(this.#states);
    const { expected, version, codec, base, delta, first, last, events, signals } = this.#columns;
    const { events: eventRows, pieces, findings, context, figures } = this.#rows;
    return {
      values: [
        ...[
          org,
          this.#sessions,
          expected,
          version,
          codec,
          base,
          delta,
          states,
          first,
          last,
          events,
          signals,
        ],
        ...[eventRows, pieces, findings, context, figures].map(rowsText),
      ],
      sessions: this.#sessions,
      after: this.#after,
      bytes: states.length,
    };
  }

  #addSession(
    { states, scope }: WriteRequest,
    session: string,
    kept: KeptSession,
    entries: readonly LedgerEntry[],
  ): void {
    const place = this.#sessions.push(session);
    const state = states.get(session);
    const {
      first = null,
      last = null,
      events = 0,
      signals = 0,
    } = tallied(entries).get(session) ?? {};
    this.#push({ expected: kept.version, first, last, events, signals });
    if (state === undefined && entries.length === 0)
      return void this.#push({ version: null, codec: null, base: null, delta: null });
    const count = resumeCount(session, kept.count);
    const shown = this.#addEntries(place, count, kept, entries, scope);
    const text = attempt(() => count?.text()) ?? '';
    const version = newVersion();
    const saved = state === undefined ? kept.saved : version;
    const { base, delta, baseText } = encodeState(
      keptText(saved, text, state ?? stateTextOf(kept)),
      kept.baseText,
    );
    this.#push({ version, codec: CODEC, base: base?.length ?? null, delta: delta.length });
    if (base) this.#states.push(base);
    this.#states.push(delta);
    this.#after.set(session, {
      version,
      saved,
      baseText,
      delta,
      count: text || undefined,
      asks: kept.asks,
      ...present({ shown }),
    });
  }

  #push(values: Partial<Record<keyof Columns, number | null>>): void {
    for (const [column, value] of Object.entries(values))
      this.#columns[column as keyof Columns].push(value);
  }

  /**
   * Gives the minute that the session's row shows then. It follows when something was found, when
   * the session ends, and else once a minute.
   */
  #addEntries(
    place: number,
    count: SessionCount | undefined,
    kept: KeptSession,
    entries: readonly LedgerEntry[],
    { project = 1, person }: WriteScope,
  ): number | undefined {
    if (entries.length === 0) return kept.shown;
    const counted = entries.map((entry) => attempt(() => count?.add(entry)) ?? {});
    const minute = Math.floor(entries.at(-1)!.at / MINUTE);
    const isDue =
      minute !== kept.shown ||
      entries.some(
        ({ kind, data }) => tableOf(kind) === 'findings' || data.type === 'session-ended',
      );
    const figures =
      isDue && entries[0]!.session !== '' ? attempt(() => count?.figures()) : undefined;
    for (const [i, entry] of entries.entries()) this.#addEntry(place, entry, counted[i]!, figures);
    if (!figures) return isDue ? undefined : kept.shown;
    this.#rows.figures.push({
      ...present({ ...figures, person: figures.person ?? person ?? null }),
      session: place,
      project: typeof project === 'number' ? project : project(figures),
    });
    return minute;
  }

  #addEntry(
    place: number,
    entry: LedgerEntry,
    counted: Partial<RowFigures>,
    figures: SessionColumns | undefined,
  ): void {
    const table = tableOf(entry.kind);
    const { host = null, model = null, release = null } = figures ?? {};
    const more =
      table === 'pieces' ? {} : table === 'events' ? counted : { ...counted, host, model, release };
    this.#rows[table].push({ ...present(more), ...entryRow(place, entry, this.#n++) });
  }
}

type RowList = 'events' | 'pieces' | 'findings' | 'context' | 'figures';
type Columns = Record<
  'expected' | 'version' | 'codec' | 'base' | 'delta' | 'first' | 'last' | 'events' | 'signals',
  (number | null)[]
>;

/**
 * A random number: after a failover or `forget`, a count would come again with another state behind
 * it.
 */
const newVersion = (): number => 1 + Math.floor(Math.random() * (Number.MAX_SAFE_INTEGER - 1));

/** What cannot be counted is recorded all the same. */
function attempt<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch {
    return undefined;
  }
}

const resumeCount = (session: string, kept: string | undefined): SessionCount | undefined =>
  attempt(() => countSession(session, kept)) ?? attempt(() => countSession(session, undefined));
