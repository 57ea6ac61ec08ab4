/** The activity of a session in the last hour, in parts of three minutes, oldest first. */
export interface SessionPulse {
  steps: number[];
  /** Steps whose waste was noticed in that part. */
  wasted: number[];
}

const PART = 180_000;
const PARTS = 20;

/** The saved parts of an hour; `part` counts from 1970. */
export type PulseParts = [part: number, steps: number, wasted: number][];

/** Adds steps to the part of the hour that they belong to, and drops old parts. */
export function addToPulse(parts: PulseParts, at: number, steps: number, wasted: number): void {
  const number = Math.floor(at / PART);
  const part = parts.find(([known]) => known === number);
  if (part) {
    part[1] += steps;
    part[2] = Math.max(0, part[2] + wasted);
    return;
  }
  parts.push([number, steps, Math.max(0, wasted)]);
  if (parts.length > 2 * PARTS) parts.sort(([one], [other]) => one - other).splice(0, PARTS);
}

/** The steps and wasted steps in each part of the last hour; undefined if there were none. */
export function readPulse(parts: Readonly<PulseParts>, now: number): SessionPulse | undefined {
  const last = Math.floor(now / PART);
  const shown = Array.from(
    { length: PARTS },
    (_, i): PulseParts[number] =>
      parts.find(([part]) => part === last - PARTS + 1 + i) ?? [0, 0, 0],
  );
  if (shown.every(([, steps]) => steps === 0)) return undefined;
  return {
    steps: shown.map(([, steps]) => steps),
    wasted: shown.map(([, steps, wasted]) => Math.min(steps, wasted)),
  };
}
