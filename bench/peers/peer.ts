import type { AgentEvent } from '@unrut/engine/event';

/** A peer's reaction to an event. */
export interface Alarm {
  /**
   * `warn` is any notice to the model or a person; `act` refuses a call, asks before it runs, or
   * ends the turn or run.
   */
  level: 'warn' | 'act';
  /** The step of its ladder, in the peer's own word. */
  word: string;
}

/** Follows one session, event by event. */
export type Watch = (event: AgentEvent) => Alarm | null;

/** Another project's rule, written again from its description. `start` begins a session. */
export interface Peer {
  name: string;
  start(): Watch;
}

export const warn = (word: string): Alarm => ({ level: 'warn', word });
export const act = (word: string): Alarm => ({ level: 'act', word });

/** Steps of a ladder: from this count on, that alarm. */
export type Ladder = readonly (readonly [from: number, alarm: Alarm])[];

/** The highest step of a ladder that a count has reached. */
export const reached = (ladder: Ladder, count: number): Alarm | null =>
  ladder.findLast(([from]) => count >= from)?.[1] ?? null;

/** Acting beats warning; otherwise the first one wins. */
export const strongest = (...alarms: readonly (Alarm | null | undefined)[]): Alarm | null =>
  alarms.find((alarm) => alarm?.level === 'act') ?? alarms.find((alarm) => alarm) ?? null;
