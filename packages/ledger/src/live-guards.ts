import type { Json } from '@unrut/engine/event';
import { createGuard, type Guard, type GuardOptions, type Snapshot } from '@unrut/engine/guard';
import { keepIn } from '@unrut/engine/recent';
import type { SavedState } from './ledger.ts';
import type { MemoryRoom } from './memory-room.ts';

/** A session in memory, with its version in the ledger. */
export interface LiveSession {
  guard: Guard;
  /** The version that was last loaded or saved. */
  version: number;
  /** What the caller stores besides the guard's state. */
  memory: Json | undefined;
  /** The state came from the ledger, where others may have changed it. */
  isLoaded: boolean;
  /** The length of the state when this process last wrote it. */
  size: number;
}

/**
 * Guards that stay in memory between transactions, so that they need not be rebuilt from the
 * ledger.
 */
export interface LiveGuards {
  guardOf(rules: GuardOptions): Guard;
  get(session: string): LiveSession | undefined;
  /**
   * Loads a session into this guard. Throws if its state cannot be read; the session then starts
   * afresh.
   */
  load(session: string, guard: Guard, saved: SavedState): void;
  drop(sessions: readonly string[]): void;
  /**
   * Releases the sessions loaded since the last call. Beyond the limits, the least recently used
   * are dropped.
   */
  trim(): void;
}

/** One guard for each set of rules, since hosts differ in what they can do. */
const MAX_GUARDS = 16;
/** Sessions that one step may add before `trim`. */
const ROOM = 2000;
/** Bytes of memory per character of a session's state. */
const BYTES_PER_CHARACTER = 3;
/** Assumed length of a state that this process has not written yet. */
const UNKNOWN_SIZE = 10_000;

export function createLiveGuards(most: number, room?: MemoryRoom): LiveGuards {
  const guards = new Map<string, Guard>();
  const sessions = new Map<string, LiveSession>();
  /** Sessions that are in use must not be evicted. */
  const unused = room?.share((name) => forget(name));
  const inUse = new Set<string>();
  const keys = new WeakMap<GuardOptions, string>();

  // Detectors and recoveries are identified by name and options; within one process, equal names
  // mean equal code.
  function keyOf(rules: GuardOptions): string {
    const key = keys.get(rules) ?? JSON.stringify(rules);
    keys.set(rules, key);
    return key;
  }

  function guardOf(rules: GuardOptions): Guard {
    const key = keyOf(rules);
    const guard = guards.get(key) ?? createGuard({ ...rules, sessions: most + ROOM });
    return keepIn(guards, key, guard, MAX_GUARDS, (oldest) =>
      drop([...sessions].flatMap(([name, live]) => (live.guard === oldest ? [name] : []))),
    );
  }

  function forget(name: string): void {
    sessions.get(name)?.guard.forget(name);
    sessions.delete(name);
  }

  function drop(names: readonly string[]): void {
    for (const name of names) {
      inUse.delete(name);
      unused?.take(name);
      forget(name);
    }
  }

  function use(name: string): void {
    inUse.add(name);
    unused?.take(name);
  }

  return {
    guardOf,
    get: (session) => sessions.get(session),
    load(session, guard, saved) {
      const known = sessions.get(session);
      if (
        known?.guard === guard &&
        known.version === saved.version &&
        (saved.version === 0 || guard.knows(session))
      ) {
        sessions.delete(session);
        sessions.set(session, known);
        use(session);
        return;
      }
      drop([session]);
      use(session);
      guard.forget(session);
      const live: LiveSession = {
        guard,
        version: saved.version,
        memory: undefined,
        isLoaded: false,
        size: saved.version === 0 ? 0 : UNKNOWN_SIZE,
      };
      sessions.set(session, live);
      const state = saved.read() as (Snapshot & { memory?: Json }) | null;
      if (state === null) return;
      try {
        guard.restore(state);
      } catch (error) {
        guard.forget(session);
        throw error;
      }
      live.memory = state.memory;
      live.isLoaded = true;
    },
    drop,
    trim() {
      if (sessions.size > most) drop([...sessions.keys()].slice(0, sessions.size - most));
      for (const name of inUse) unused?.put(name, BYTES_PER_CHARACTER * sessions.get(name)!.size);
      inUse.clear();
    },
  };
}
