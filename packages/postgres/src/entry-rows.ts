import type { ContextEntry, LedgerEntry } from '@unrut/ledger/ledger';

/** The table of an entry. */
export type EntryTable = 'events' | 'pieces' | 'findings';

export const tableOf = (kind: LedgerEntry['kind']): EntryTable =>
  kind === 'event' ? 'events' : kind === 'piece' ? 'pieces' : 'findings';

/**
 * Removes the session's name from an entry's id, of which it is the largest part; other ids are
 * marked.
 */
export const keyOf = (session: string, id: string): string =>
  id.startsWith(`${session}/`) ? id.slice(session.length) : `=${id}`;

export const idOf = (session: string, key: string): string =>
  key.startsWith('/') ? session + key : key.slice(1);

/** The columns of an entry. `agent` is null if it belongs to no agent. */
export interface EntryRead extends Pick<LedgerEntry, 'at' | 'kind' | 'step' | 'data'> {
  key: string;
  agent: string | null;
}

/** The entry in a row of a session. */
export const entryIn = (
  session: string,
  { key, agent, at, kind, step, data }: EntryRead,
): LedgerEntry => ({
  id: idOf(session, key),
  session,
  ...(agent === null ? {} : { agent }),
  at,
  kind,
  step,
  data,
});

/** The limit of Postgres's times, in both directions. */
const MIN_TIME = -2e14;
const MAX_TIME = 8.64e15;

const timeOf = (at: number): number => Math.min(Math.max(at, MIN_TIME), MAX_TIME);

/**
 * The columns that all tables of entries share. `place`: the position of the session in the write,
 * from 1.
 */
export const entryRow = (
  place: number,
  { id, session, agent, at, kind, step, data }: LedgerEntry,
  n: number,
): object => ({
  session: place,
  key: keyOf(session, id),
  agent,
  at: timeOf(at),
  step,
  ...(kind === 'piece' ? {} : { n, data }),
  ...(kind === 'event' || kind === 'piece' ? {} : { kind }),
  ...lookedUpBy(kind, data),
});

/** The lookup columns of a row. Callers may append arbitrary entries, so a field may be missing. */
function lookedUpBy(kind: LedgerEntry['kind'], data: LedgerEntry['data']): object {
  const names = COLUMNS[kind] ?? [];
  const found: unknown[][] = names.flatMap((name) =>
    typeof data[name] === 'string' || typeof data[name] === 'boolean' ? [[name, data[name]]] : [],
  );
  if (kind === 'plan') found.push(['plan', data.id], ['detector', detectorIn(data.reason)]);
  return Object.fromEntries(found);
}

const COLUMNS: { [kind in LedgerEntry['kind']]?: readonly string[] } = {
  event: ['type', 'tool', 'failed', 'plan', 'rung'],
  signal: ['detector', 'rung'],
  plan: ['recovery', 'rung', 'shadow'],
  outcome: ['plan', 'recovery', 'rung', 'outcome'],
};

const detectorIn = (reason: unknown): string => String(reason).split('/', 1)[0]!;

export const contextRow = (entry: ContextEntry, n: number): object => ({
  ...entry,
  timestamp: timeOf(entry.timestamp),
  n,
});

/** Rows as JSON that Postgres accepts: without null characters and lone surrogates. */
export function rowsText(rows: readonly object[]): string | null {
  if (rows.length === 0) return null;
  const text = JSON.stringify(rows);
  return /\\u(?:0000|d[89a-f])/i.test(text) ? JSON.stringify(rows, plainText) : text;
}

function plainText(_: string, value: unknown): unknown {
  if (typeof value === 'string') return plain(value);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [plain(name), each]));
}

const plain = (text: string): string => text.toWellFormed().replaceAll('\0', '\ufffd');
