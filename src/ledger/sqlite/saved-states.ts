import type { Json } from '../../event.ts';
import { joinState, type StateParts, splitState } from './state-parts.ts';
import type { Statements } from './statements.ts';

/** The states of sessions, of which only the parts that have changed are written. */
export interface SavedStates {
  /** 0 when there is none. */
  version(session: string): number;
  read(session: string): Json;
  /** Gives the new version. */
  write(session: string, state: Json): number;
  /** What was written since the transaction began is not there after all. */
  rolledBack(): void;
}

/** Sessions of which is remembered what the ledger has; of others all parts are written anew. */
const MOST_REMEMBERED = 1000;

export function savedStates({ one, all, run }: Statements): SavedStates {
  /** A version is given once, so that what is known of it stays true. */
  const remembered = new Map<string, { version: number; parts: StateParts }>();

  function remember(session: string, version: number, parts: StateParts): void {
    remembered.delete(session);
    remembered.set(session, { version, parts });
    if (remembered.size > MOST_REMEMBERED) remembered.delete(remembered.keys().next().value!);
  }

  const version = (session: string): number => (one('SELECT version FROM states WHERE session = ?', session)?.version as number) ?? 0;

  return {
    version,

    read(session) {
      const current = version(session);
      if (current === 0) return null;
      const rows = all('SELECT part, text FROM state_parts WHERE session = ?', session);
      const parts = new Map(rows.map(({ part, text }) => [part as string, text as string]));
      remember(session, current, parts);
      return joinState(parts);
    },

    write(session, state) {
      const parts = splitState(state);
      const known = remembered.get(session);
      const before: StateParts = known?.version === version(session) ? known.parts : new Map();
      if (before.size === 0) run('DELETE FROM state_parts WHERE session = ?', session);
      for (const [part, text] of parts) if (before.get(part) !== text) run(PUT, session, part, text);
      for (const part of before.keys()) if (!parts.has(part)) run('DELETE FROM state_parts WHERE session = ? AND part = ?', session, part);
      const next = Number(run('INSERT OR REPLACE INTO states (session) VALUES (?)', session).lastInsertRowid);
      remember(session, next, parts);
      return next;
    },

    rolledBack: () => remembered.clear(),
  };
}

const PUT = 'INSERT INTO state_parts (session, part, text) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET text = excluded.text';
