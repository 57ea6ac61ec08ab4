import { decodeBase, decodeDelta, type StoredState } from './state-codec.ts';

/** A session as the database has it. Its state is read only where it is asked for. */
export interface KeptSession {
  /** Of the row that was last loaded or written; 0 where there is none. */
  version: number;
  /**
   * The version with which the guard's state was saved; 0 where there is none. Entries alone change
   * the row, and leave the state.
   */
  saved: number;
  baseText: Buffer;
  delta: Buffer | null;
  /** What the session comes to, as text. */
  count: string | undefined;
  /** Why its state cannot be read; then it begins anew. */
  broken?: Error;
  /** Others write to it, too: it is loaded before so many more writes, unless they do again. */
  asks: number;
}

export const NEW_SESSION: KeptSession = {
  version: 0,
  saved: 0,
  baseText: Buffer.alloc(0),
  delta: null,
  count: undefined,
  asks: 0,
};

/**
 * What is kept of a session is one text: a line with the version of the guard's state and what the
 * session comes to, and the state.
 */
export const keptText = (saved: number, count: string, state: string): Buffer =>
  Buffer.from(`${saved} ${count}\n${state}`);

/** A session as it was loaded. */
export function fromStored(version: number, stored: StoredState): KeptSession {
  try {
    const baseText = decodeBase(stored);
    const text = decodeDelta(stored.delta, baseText);
    const [, saved, count] = /^(\d+) (.*)$/.exec(text.toString('utf8', 0, text.indexOf('\n')))!;
    return {
      version,
      saved: Number(saved),
      baseText,
      delta: stored.delta,
      count: count || undefined,
      asks: 0,
    };
  } catch (error) {
    return { ...NEW_SESSION, version, saved: version, broken: error as Error };
  }
}

/** The text of the guard's state; empty where there is none. */
export function stateTextOf({ baseText, delta }: KeptSession): string {
  const text = decodeDelta(delta, baseText);
  return text.toString('utf8', text.indexOf('\n') + 1);
}
