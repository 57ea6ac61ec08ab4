import { present } from '@unrut/engine/json';
import { countSession, type SessionCount } from '@unrut/ledger/figures/count-session';
import type { HourTable } from '@unrut/ledger/figures/hour-changes';
import type { ContextEntry, LedgerEntry } from '@unrut/ledger/ledger';
import { spanOf } from '@unrut/ledger/ledger-entry';
import { DEFAULT_PROJECT } from '@unrut/ledger/organisation';
import { contextRow, entryRow, rowsText, tableOf } from './entry-rows.ts';
import { type KeptSession, keptText, stateTextOf } from './kept-sessions.ts';
import { CODEC, encodeState } from './state-codec.ts';

/** One atomic update. */
export interface WriteRequest {
  /**
   * The expected versions of sessions: those that the update depends on, and those of its entries.
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
  /** The project of the sessions. Default: 1, the default project. */
  project?: number;
  /** Rules chose the project: the sender may report to every project. */
  isRuled?: boolean;
  /** The owner of the sessions, unless an event names another. */
  person?: string;
}

/** Sessions of other projects are distinct, even with the same name. */
export const projectIn = ({ project = DEFAULT_PROJECT }: Pick<WriteScope, 'project'>): number =>
  project;

/** Identifies a session or an entry across the projects of an organisation. */
export const keyIn = (project: number, name: string): string => `${project} ${name}`;

/** The keys of all sessions of a request. */
export const sessionKeys = ({ sessions, scope }: WriteRequest): string[] =>
  [...sessions.keys()].map((name) => keyIn(projectIn(scope), name));

/** A group of requests as parameters of `write_3`, and its sessions after the write. */
export interface PreparedGroup {
  values: unknown[];
  sessions: readonly { name: string; project: number }[];
  /** By their keys. */
  after: Map<string, KeptSession>;
  /** Of the states that are written. */
  bytes: number;
}

const NO_SPAN = { first: null, last: null, events: 0, signals: 0 };

/** Combines requests that have no session in common. */
export function prepareGroup(requests: readonly WriteRequest[]): PreparedGroup {
  const group = new Group();
  for (const request of requests) group.add(request);
  return group.prepared(requests[0]!.scope.org);
}

class Group {
  readonly #sessions: { name: string; project: number }[] = [];
  readonly #ruled: boolean[] = [];
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
    loops: [],
  };
  readonly #hours: Record<HourTable, object[]> = {
    hours: [],
    tool_hours: [],
    detector_hours: [],
    plan_hours: [],
  };
  readonly #states: Buffer[] = [];
  readonly #after = new Map<string, KeptSession>();
  #n = 0;

  add(request: WriteRequest): void {
    const bySession = Map.groupBy(request.entries, ({ session }) => session);
    for (const [session, kept] of request.sessions)
      this.#addSession(request, session, kept, bySession.get(session) ?? []);
    const project = projectIn(request.scope);
    for (const entry of request.context)
      this.#rows.context.push({ ...contextRow(entry, this.#n++), project });
  }

  prepared(org: number): PreparedGroup {
    const states = Buffer.concat(this.#states);
    const { expected, version, codec, base, delta, first, last, events, signals } = this.#columns;
    const { events: eventRows, pieces, findings, context, figures, loops } = this.#rows;
    return {
      values: [
        ...[
          org,
          this.#sessions.map(({ name }) => name),
          this.#sessions.map(({ project }) => project),
          this.#ruled,
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
        ...[...Object.values(this.#hours), loops].map(rowsText),
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
    const project = projectIn(scope);
    const place = this.#sessions.push({ name: session, project });
    this.#ruled.push(scope.isRuled === true);
    const state = states.get(session);
    const span = entries.length > 0 ? spanOf(session, entries) : NO_SPAN;
    const { first, last, events, signals } = span;
    this.#push({ expected: kept.version, first, last, events, signals });
    if (state === undefined && entries.length === 0)
      return void this.#push({ version: null, codec: null, base: null, delta: null });
    const count = countSession(session, kept.count);
    this.#addEntries(place, count, entries, scope);
    const text = count.text();
    const version = newVersion();
    const saved = state === undefined ? kept.saved : version;
    const { base, delta, baseText } = encodeState(
      keptText(saved, text, state ?? stateTextOf(kept)),
      kept.baseText,
    );
    this.#push({ version, codec: CODEC, base: base?.length ?? null, delta: delta.length });
    if (base) this.#states.push(base);
    this.#states.push(delta);
    this.#after.set(keyIn(project, session), {
      version,
      saved,
      baseText,
      delta,
      count: text,
      asks: kept.asks,
    });
  }

  #push(values: Partial<Record<keyof Columns, number | null>>): void {
    for (const [column, value] of Object.entries(values))
      this.#columns[column as keyof Columns].push(value);
  }

  #addEntries(
    place: number,
    count: SessionCount,
    entries: readonly LedgerEntry[],
    scope: WriteScope,
  ): void {
    if (entries.length === 0) return;
    for (const entry of entries) {
      count.add(entry);
      this.#rows[tableOf(entry.kind)].push(entryRow(place, entry, this.#n++));
    }
    for (const [table, rows] of Object.entries(count.hours()))
      this.#hours[table as HourTable].push(...rows.map((row) => ({ ...row, session: place })));
    // Entries without a session appear in no list.
    if (entries[0]!.session === '') return;
    const columns = count.columns();
    this.#rows.figures.push({
      ...present({ ...columns, person: columns.person ?? scope.person ?? null }),
      session: place,
      project: projectIn(scope),
    });
    this.#rows.loops.push(...count.loops().map((loop) => ({ ...loop, session: place })));
  }
}

type RowList = 'events' | 'pieces' | 'findings' | 'context' | 'figures' | 'loops';
type Columns = Record<
  'expected' | 'version' | 'codec' | 'base' | 'delta' | 'first' | 'last' | 'events' | 'signals',
  (number | null)[]
>;

/**
 * A random number: after a failover or `forget`, a counter would repeat numbers for different
 * states.
 */
const newVersion = (): number => 1 + Math.floor(Math.random() * (Number.MAX_SAFE_INTEGER - 1));
