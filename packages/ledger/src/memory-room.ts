/** What a process may keep in memory of its sessions, in bytes; who keeps some shares it. */
export interface MemoryRoom {
  /** A part of it with names of its own. What has to go is passed to `drop`. */
  share(drop: (name: string) => void): MemoryShare;
  /** Bytes that are kept now. */
  readonly used: number;
}

export interface MemoryShare {
  /**
   * Keeps this under a name as the most recently used, in place of what was there. If that exceeds
   * the limit, the least recently used entry of any part is dropped.
   */
  put(name: string, bytes: number): void;
  /** It is kept no more, or is in use, and does not go. */
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

/** Bytes for sessions in a process that may use so much memory. */
export const roomIn = (memory: number): number =>
  Math.min(128 * MB, Math.max(32 * MB, Math.floor(memory / 8)));
