import type { AgentEvent, Capability } from '../event.ts';
import type { Verdict } from '../guard.ts';

/** Reads a host's payloads into events, says what the host can do, and performs plans. No thresholds, no wording of its own. */
export interface Adapter {
  /** The host's name; also the folder's. */
  name: string;
  /** What the host can do at the point where this payload came from. */
  can(payload: unknown): readonly Capability[];
  /** The events in a payload. Unknown or malformed input gives none, and never throws. */
  read(payload: unknown): AgentEvent[];
  /** What to answer the host with, or null for nothing. */
  write(verdict: Verdict, payload: unknown): unknown;
}
