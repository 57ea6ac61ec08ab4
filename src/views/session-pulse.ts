/** How busy a session was in the last hour, in parts of three minutes, the oldest first. */
export interface SessionPulse {
  steps: number[];
  /** Steps whose waste was noticed then. */
  wasted: number[];
}

const PART = 180_000;
const PARTS = 20;

/** Counts steps by the part of the hour that they belong to, and forgets what is older. */
export function createPulse(): { add(at: number, steps: number, wasted: number): void; read(now: number): SessionPulse | undefined } {
  const parts = new Map<number, { steps: number; wasted: number }>();
  return {
    add(at, steps, wasted) {
      const number = Math.floor(at / PART);
      const part = parts.get(number) ?? { steps: 0, wasted: 0 };
      parts.set(number, { steps: part.steps + steps, wasted: Math.max(0, part.wasted + wasted) });
      if (parts.size > 2 * PARTS) for (const old of [...parts.keys()].sort((one, other) => one - other).slice(0, PARTS)) parts.delete(old);
    },
    read(now) {
      const last = Math.floor(now / PART);
      const shown = Array.from({ length: PARTS }, (_, i) => parts.get(last - PARTS + 1 + i) ?? { steps: 0, wasted: 0 });
      if (shown.every(({ steps }) => steps === 0)) return undefined;
      return { steps: shown.map(({ steps }) => steps), wasted: shown.map(({ steps, wasted }) => Math.min(steps, wasted)) };
    },
  };
}
