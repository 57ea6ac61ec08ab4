import type { Json } from '@unrut/engine/event';
import { createGuard, type Guard, type GuardOptions, type Snapshot } from '@unrut/engine/guard';
import { keepIn } from '@unrut/engine/recent';
import type { SavedState } from './ledger.ts';
import type { MemoryRoom } from './memory-room.ts';

/** A session in memory, as the ledger has it. */
export interface LiveSession {
  guard: Guard;
  /** Of the state that was last loaded or saved. */
  version: number;
  /** What an entrance keeps besides the guard's state. */
  memory: Json | undefined;
  /** Its state came from the ledger, where anybody may have changed it. */
  isLoaded: boolean;
  /** Characters of its state as it was last written here. */
  size: number;
}

/**
 * The guards that stay in memory between steps, so that they need not be built from the ledger each
 * time.
 */
export interface LiveGuards {
  guardOf(rules: GuardOptions): Guard;
  get(session: string): LiveSession | undefined;
  /**
   * The session in this guard as the ledger has it. Throws where its state cannot be read: then it
   * begins afresh.
   */
  load(session: string, guard: Guard, saved: SavedState): void;
  drop(sessions: readonly string[]): void;
  /**
   * Ends the use of what was loaded since the last time. Beyond the limits, the least recently used
   * go.
   */
  trim(): void;
}

/** One for each set of rules; hosts differ in what they can do. */
const MAX_GUARDS = 16;
/** Sessions that one step may add before `trim`. */
const ROOM = 2000;
/** Bytes of memory that a session takes for each character of its state. */
const BYTES_PER_CHARACTER = 3;
/** Characters of a state that was not written here yet. */
const UNKNOWN_SIZE = 10_000;

export function createLiveGuards(most: number, room?: MemoryRoom): LiveGuards {
  const guards = new Map<string, Guard>();
  const sessions = new Map<string, LiveSession>();
  /** Only what no step works on may go to make room for others. */
  const unused = room?.share((name) => forget(name));
  const inUse = new Set<string>();
  const keys = new WeakMap<GuardOptions, string>();

  // Detectors and recoveries are distinguished by their names and options: what they do is the same
  // in one process.
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
