import { decodeBase, decodeDelta, type StoredState } from './state-codec.ts';

/** A session as the database has it. Its state is read only where it is asked for. */
export interface KeptSession {
  /** Of what was last loaded or saved; 0 where there is nothing. */
  version: number;
  baseText: Buffer;
  delta: Buffer | null;
  /** What the session comes to, as text. */
  count: string | undefined;
  /** The minute up to which `sessions` shows it; undefined where that is not known. */
  shown?: number;
}

/** The last sessions of a process, so that they need not be loaded before each write. The least recently used go first. */
export interface KeptSessions {
  get(session: string): KeptSession | undefined;
  set(session: string, kept: KeptSession): void;
  drop(sessions: readonly string[]): void;
  clear(): void;
}

export const NEW_SESSION: KeptSession = { version: 0, baseText: Buffer.alloc(0), delta: null, count: undefined };

export function createKeptSessions(max: number): KeptSessions {
  const sessions = new Map<string, KeptSession>();
  return {
    get: (session) => sessions.get(session),
    set(session, kept) {
      sessions.delete(session);
      sessions.set(session, kept);
      if (sessions.size > max) sessions.delete(sessions.keys().next().value!);
    },
    drop(names) {
      for (const name of names) sessions.delete(name);
    },
    clear: () => sessions.clear(),
  };
}

/** What is kept of a session is one text: what it comes to, and the guard's state, a line each. */
export const keptText = (count: string, state: string): Buffer => Buffer.from(`${count}\n${state}`);

/** A session as it was loaded. Throws where it cannot be read. */
export function fromStored(version: number, stored: StoredState): KeptSession {
  const baseText = decodeBase(stored);
  const text = decodeDelta(stored.delta, baseText);
  const end = text.indexOf('\n');
  return { version, baseText, delta: stored.delta, count: end > 0 ? text.toString('utf8', 0, end) : undefined };
}

/** The text of the guard's state; empty where there is none. */
export function stateTextOf({ baseText, delta }: KeptSession): string {
  const text = decodeDelta(delta, baseText);
  return text.toString('utf8', text.indexOf('\n') + 1);
}
