import { decodeBase, decodeDelta, type StoredState } from './state-codec.ts';

/** A session in the database. Its state is parsed only when needed. */
export interface KeptSession {
  /** The version of the row that was last loaded or written; 0 if there is none. */
  version: number;
  /**
   * The version with which the guard's state was saved; 0 if there is none. Appending entries
   * changes the row and leaves the state.
   */
  saved: number;
  baseText: Buffer;
  delta: Buffer | null;
  /** The figures of the session, as text. */
  count: string | undefined;
  /** Why the state cannot be read. The session then starts with a fresh one. */
  broken?: Error;
  /**
   * If positive, the session is contended: it is loaded before each of this many writes. Conflicts
   * reset the number.
   */
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
 * Encodes a session as one text: a line with the state's version and the session's figures, then
 * the state.
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

/** The text of the guard's state; empty if there is none. */
export function stateTextOf({ baseText, delta }: KeptSession): string {
  const text = decodeDelta(delta, baseText);
  return text.toString('utf8', text.indexOf('\n') + 1);
}
