/** A memory limit for sessions in a process, in bytes, shared by all that cache sessions. */
export interface MemoryRoom {
  /** A part of the room with its own names. Evicted entries are passed to `drop`. */
  share(drop: (name: string) => void): MemoryShare;
  /** Bytes in use. */
  readonly used: number;
}

export interface MemoryShare {
  /**
   * Adds or replaces an entry and marks it as the most recently used. If that exceeds the limit,
   * the least recently used entry of any part is dropped.
   */
  put(name: string, bytes: number): void;
  /** Removes an entry, or protects one that is in use from eviction. */
  take(name: string): void;
}

interface Lot {
  bytes: number;
  drop(): void;
}

export function createMemoryRoom(most: number): MemoryRoom {
  /** The least recently used first. */
  const lots = new Set<Lot>();
  let used = 0;

  function remove(lot: Lot): void {
    if (lots.delete(lot)) used -= lot.bytes;
  }

  function trim(): void {
    for (const lot of lots) {
      if (used <= most) return;
      remove(lot);
      lot.drop();
    }
  }

  return {
    get used() {
      return used;
    },
    share(drop) {
      const own = new Map<string, Lot>();
      function take(name: string): void {
        const lot = own.get(name);
        if (!lot) return;
        own.delete(name);
        remove(lot);
      }
      return {
        take,
        put(name, bytes) {
          take(name);
          const lot: Lot = {
            bytes,
            drop() {
              own.delete(name);
              drop(name);
            },
          };
          own.set(name, lot);
          lots.add(lot);
          used += bytes;
          trim();
        },
      };
    },
  };
}

const MB = 1 << 20;

/** Bytes for sessions in a process with this much memory. */
export const roomIn = (memory: number): number =>
  Math.min(128 * MB, Math.max(32 * MB, Math.floor(memory / 8)));
