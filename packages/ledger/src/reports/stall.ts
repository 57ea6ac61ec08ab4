import { push } from '@unrut/engine/recent';
import type { RecordedEntry, RecordedEvent } from './recorded-entry.ts';

/** Milliseconds after which a session counts as stalled. Infinity: never. */
export interface StallLimits {
  /** For an open call while its agent does nothing else. */
  call: number;
  /** For a session without events in the middle of a turn. */
  silence: number;
}

/**
 * Claude Code ends shell commands after at most ten minutes; the model may be silent for some
 * minutes.
 */
export const STALL_LIMITS: StallLimits = { call: 900_000, silence: 600_000 };

/** What a session waits for, if that may be a stall. */
export interface Stall {
  of: 'call' | 'silence';
  /** Epoch milliseconds of the last event. */
  since: number;
  /** The open call, in a few words. */
  call?: string;
}

/** The stored state for detecting stalls. Plain JSON. */
export interface StallWatch {
  /** Whether the agent is in the middle of a turn, if its host reports where turns end. */
  turn?: 'open' | 'rest';
  /** The session and its nested agents, most recently active last: last event and open calls. */
  agents: [agent: string, last: number, open: [label: string, kind: OpenKind][]][];
}

/** A call that may hang, that waits on purpose, or that waits for a nested agent. */
type OpenKind = 'call' | 'wait' | 'agent';

const MAX_AGENTS = 3;
const MAX_OPEN = 3;
const MAX_LABEL = 60;

/** Takes in the next event of the session. */
export function watchStall(
  watch: StallWatch,
  { agent = '', at }: RecordedEntry,
  event: RecordedEvent,
): void {
  const { type, seen, rest, turns, open: kind = 'call' } = event;
  if (agent === '') {
    // After an interruption the user speaks next.
    if (rest || event.refusedBy === 'user') watch.turn = 'rest';
    else if (turns || watch.turn !== undefined) watch.turn = 'open';
  }
  const place = watch.agents.findIndex(([name]) => name === agent);
  const [, , before] = place < 0 ? [agent, at, []] : watch.agents.splice(place, 1)[0]!;
  let open = before;
  const label = (seen?.call?.label ?? '').slice(0, MAX_LABEL);
  if (type === 'call-proposed' && !event.aside) push(open, [label, kind], MAX_OPEN);
  else if (type === 'call-finished') {
    const done = open.findIndex(([each]) => each === label);
    open.splice(Math.max(0, done), 1);
  } else if (ENDS_CALLS.has(type)) open = [];
  if (event.refusedBy === 'user') open = [];
  push(watch.agents, [agent, at, open], MAX_AGENTS);
}

/** These events end all open calls of the agent; a call without a reported end was lost. */
const ENDS_CALLS = new Set(['text-added', 'user-spoke', 'session-ended', 'context-compacted']);

/**
 * What the session waits for since its last event; undefined if it waits on purpose, for its user,
 * for a nested agent that works, or if the host does not report enough to know.
 */
export function waitingFor({ turn, agents }: StallWatch): Stall | undefined {
  const last = Math.max(...agents.map(([, at]) => at));
  const open = agents.flatMap(([, at, calls]) => calls.map(([call, kind]) => ({ at, call, kind })));
  const [hanging] = open
    .filter(({ kind }) => kind === 'call')
    .sort((one, other) => one.at - other.at);
  if (hanging) return { of: 'call', since: hanging.at, call: hanging.call };
  if (open.some(({ kind }) => kind === 'wait') || turn !== 'open') return undefined;
  const delegated = open.find(({ kind }) => kind === 'agent');
  if (!delegated) return { of: 'silence', since: last };
  // The nested agent may have a session of its own, which is checked separately.
  return agents.some(([name]) => name !== '')
    ? { of: 'call', since: last, call: delegated.call }
    : undefined;
}

/** Older stalls are ignored: the program was ended without a report. */
export const FORGOTTEN = 86_400_000;

/** Whether it has lasted too long. */
export const isStalled = (
  stall: Stall | undefined,
  now: number,
  limits: StallLimits = STALL_LIMITS,
): boolean =>
  stall !== undefined && now - stall.since > limits[stall.of] && now - stall.since < FORGOTTEN;

/** A description such as ``the call `curl` has been open for 20 minutes``. */
export function stallText({ of, since, call }: Stall, now: number): string {
  const minutes = Math.floor((now - since) / 60_000);
  const time =
    minutes < 120
      ? `${minutes} ${minutes === 1 ? 'minute' : 'minutes'}`
      : `${Math.floor(minutes / 60)} hours`;
  return of === 'call'
    ? `the call \`${call}\` has been open for ${time}: it hangs, or waits for a permission`
    : `nothing has come from it for ${time}, in the middle of a turn`;
}
