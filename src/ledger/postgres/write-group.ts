import type { Json } from '../../event.ts';
import type { JsonText } from '../json-text.ts';
import type { ContextEntry, LedgerEntry } from '../ledger.ts';
import { countSession, type RowFigures, type SessionCount } from '../reports/count-session.ts';
import { contextRow, entryRow, rowsText, tableOf } from './entry-rows.ts';
import { type KeptSession, keptText, stateTextOf } from './kept-sessions.ts';
import { CODEC, encodeState } from './state-codec.ts';

/** What one update writes: all of it or nothing. */
export interface WriteRequest {
  /** Sessions that must still be as they are here: those that it was made of, and those of its entries. */
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
  /** The project of sessions that have none yet. A function is asked with what is known of the session. Default: 1, the default project. */
  project?: number | ((session: { repo: string | null; folder: string | null }) => number);
  /** Who runs them, where events do not say. */
  person?: string;
}

/** A group of requests as `write_1` takes it, and what its sessions are when it is written. */
export interface PreparedGroup {
  values: unknown[];
  sessions: string[];
  after: Map<string, KeptSession>;
  /** Bytes of states that are written. */
  bytes: number;
}

/** A random number: after a failover or `forget` a count would come again, with another state behind it. */
const newVersion = (): number => 1 + Math.floor(Math.random() * (Number.MAX_SAFE_INTEGER - 1));

const MINUTE = 60_000;

/** Puts requests together that have no session in common. */
export function prepareGroup(requests: readonly WriteRequest[]): PreparedGroup {
  const columns = { expected: [], version: [], codec: [], base: [], delta: [], first: [], last: [], events: [], signals: [] } as Columns;
  const rows = { events: [], pieces: [], findings: [], context: [], figures: [] } as Record<RowList, object[]>;
  const blobs: Buffer[] = [];
  const sessions: string[] = [];
  const after = new Map<string, KeptSession>();
  let n = 0;

  function addSession(request: WriteRequest, session: string, kept: KeptSession): void {
    const place = sessions.push(session);
    const entries = request.entries.filter((entry) => entry.session === session);
    const state = request.states.get(session);
    const times = entries.map(({ at }) => at);
    columns.expected.push(kept.version);
    columns.first.push(times.length > 0 ? Math.min(...times) : null);
    columns.last.push(times.length > 0 ? Math.max(...times) : null);
    columns.events.push(entries.filter(({ kind }) => kind === 'event' || kind === 'piece').length);
    columns.signals.push(entries.filter(({ kind }) => kind === 'signal').length);
    if (state === undefined && entries.length === 0) {
      for (const column of [columns.version, columns.codec, columns.base, columns.delta]) column.push(null);
      return;
    }
    const count = goOnCounting(session, kept.count);
    const figuresOf = (entry: LedgerEntry): Partial<RowFigures> => counted(count, entry);
    const all = entries.map((entry) => ({ entry, figures: figuresOf(entry) }));
    const shown = entries.length > 0 ? show(request, place, session, count, kept, entries) : kept.shown;
    const { host, model, release } = dimensionsOf(count);
    for (const { entry, figures } of all) {
      const table = tableOf(entry.kind);
      const found = table === 'findings' ? { host, model, release } : {};
      rows[table].push({ ...(table === 'pieces' ? {} : withoutEmpty({ ...figures, ...found })), ...entryRow(place, entry, n++) });
    }
    const text = count?.text() ?? '';
    const encoded = encodeState(keptText(text, state ?? stateTextOf(kept)), kept.baseText);
    const version = newVersion();
    columns.version.push(version);
    columns.codec.push(CODEC);
    columns.base.push(encoded.base?.length ?? null);
    columns.delta.push(encoded.delta.length);
    if (encoded.base) blobs.push(encoded.base);
    blobs.push(encoded.delta);
    after.set(session, { version, baseText: encoded.baseText, delta: encoded.delta, count: text || undefined, shown });
  }

  /** Brings the session's row up to date when something was found, when it ends, and else once in each minute. */
  function show(
    { scope }: WriteRequest,
    place: number,
    session: string,
    count: SessionCount | undefined,
    kept: KeptSession,
    entries: readonly LedgerEntry[],
  ): number | undefined {
    const figures = session === '' ? undefined : figuresFrom(count);
    if (!figures) return undefined;
    const minute = Math.floor(figures.last / MINUTE);
    if (minute === kept.shown && !figures.ended && !entries.some(({ kind }) => tableOf(kind) === 'findings')) return minute;
    const { project = 1 } = scope;
    rows.figures.push({
      ...withoutEmpty({ ...figures, person: figures.person ?? scope.person ?? null }),
      project: typeof project === 'number' ? project : project(figures),
      session: place,
    });
    return minute;
  }

  for (const request of requests) {
    for (const [session, kept] of request.sessions) addSession(request, session, kept);
    for (const entry of request.context) rows.context.push(contextRow(entry, n++));
  }
  const states = Buffer.concat(blobs);
  return {
    values: [
      ...[requests[0]!.scope.org, sessions, columns.expected, columns.version, columns.codec, columns.base, columns.delta, states],
      ...[columns.first, columns.last, columns.events, columns.signals],
      ...(['events', 'pieces', 'findings', 'context', 'figures'] as const).map((list) => rowsText(rows[list])),
    ],
    sessions,
    after,
    bytes: states.length,
  };
}

type RowList = 'events' | 'pieces' | 'findings' | 'context' | 'figures';
type Columns = Record<'expected' | 'version' | 'codec' | 'base' | 'delta' | 'first' | 'last' | 'events' | 'signals', (number | null)[]>;

/** What cannot be counted is recorded all the same. */
function attempt<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch {
    return undefined;
  }
}

const goOnCounting = (session: string, kept: string | undefined): SessionCount | undefined =>
  attempt(() => countSession(session, kept)) ?? attempt(() => countSession(session, undefined));

const counted = (count: SessionCount | undefined, entry: LedgerEntry): Partial<RowFigures> => attempt(() => count?.add(entry)) ?? {};

const figuresFrom = (count: SessionCount | undefined): ReturnType<SessionCount['figures']> | undefined => attempt(() => count?.figures());

function dimensionsOf(count: SessionCount | undefined): Record<string, unknown> {
  const { host = null, model = null, release = null } = figuresFrom(count) ?? {};
  return { host, model, release };
}

/** A column that is null need not be named. */
const withoutEmpty = (row: object): object => Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null));

export type State = Json | JsonText;
