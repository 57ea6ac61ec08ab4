import type { Json } from '@unrut/engine/event';
import { type JsonText, jsonTextOf } from '../json-text.ts';
import type { LedgerChange, LedgerEntry } from '../ledger.ts';

/** The rows of an update, ready to write. */
export interface ChangeRows {
  /** Sessions that something is written of. */
  touched: readonly string[];
  states: readonly string[];
  entries: readonly [row: EntryRow, entry: LedgerEntry][];
  /** The first `once` entries must be new. */
  once: number;
  context: readonly (string | number)[][];
}

export type EntryRow = readonly [
  id: string,
  session: string,
  agent: string | null,
  at: number,
  kind: LedgerEntry['kind'],
  step: number,
  data: string,
];

/** States are padded to a multiple of about a page, so that their length rarely changes. */
const ROUND_LENGTH = 4096;

/** The rows of a change. Its states belong to the first of these sessions. */
export function rowsOf(
  sessions: readonly string[],
  { states = [], entries = [], once = [], context = [] }: LedgerChange,
): ChangeRows {
  const touched = new Set(sessions.slice(0, states.length));
  for (const list of [once, entries, context]) for (const { session } of list) touched.add(session);
  return {
    touched: [...touched],
    states: states.map(stateText),
    entries: [...once, ...entries].map((entry) => [entryRow(entry), entry]),
    once: once.length,
    context: context.map(
      ({
        id,
        timestamp,
        entryType,
        topic,
        content,
        relatedTasks,
        confidence,
        metadata,
        session,
      }) => [
        ...[id, timestamp, entryType, topic, content],
        ...[JSON.stringify(relatedTasks), confidence, JSON.stringify(metadata), session],
      ],
    ),
  };
}

function stateText(state: Json | JsonText): string {
  const text = jsonTextOf(state);
  return text.padEnd(Math.ceil(text.length / ROUND_LENGTH) * ROUND_LENGTH);
}

function entryRow({ id, session, agent, at, kind, step, data }: LedgerEntry): EntryRow {
  const text = kind === 'piece' ? '' : JSON.stringify(data);
  return [id, session, agent ?? null, at, kind, step, text];
}

/** The entry in a row of `entries`. */
export const toEntry = ({
  id,
  session,
  agent,
  at,
  kind,
  step,
  data,
}: Record<string, unknown>): LedgerEntry =>
  ({
    id,
    session,
    ...(agent === null ? {} : { agent }),
    at,
    kind,
    step,
    data: JSON.parse(data as string),
  }) as LedgerEntry;
