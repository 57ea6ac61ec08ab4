import type { AgentEvent } from '@unrut/engine/event';
import { callEvents, output, prose } from './samples.ts';

/**
 * The sessions make progress: nothing in them is a loop. Of ten events one is a call, one is its
 * result of 400 characters, and the others are pieces of streamed text.
 */
const PIECES = 8;
const ROUND = PIECES + 2;

const results = Array.from({ length: 64 }, (_, i) => output(400, i));
const pieces = Array.from({ length: 4096 }, (_, i) => prose(40, i));

/**
 * Some events of a session whose model streams, from the given one on. They happen now, one
 * millisecond after another.
 */
function eventsOf(session: number, from: number, count: number): AgentEvent[] {
  const start = Date.now() - from;
  return Array.from({ length: count }, (_, k) => eventOf(session, from + k, start));
}

/** Number of events made, by session. Kept across rounds, so that no id repeats. */
const made = new Map<number, number>();

/** The next events of a session. */
export function nextEvents(session: number, count: number): AgentEvent[] {
  const from = made.get(session) ?? 0;
  made.set(session, from + count);
  return eventsOf(session, from, count);
}

function eventOf(session: number, i: number, now: number): AgentEvent {
  const call = Math.floor(i / ROUND);
  const part = i % ROUND;
  const base = { session: `session-${session}`, id: `${session}-${i}` };
  const at = now + i;
  if (part < PIECES)
    return {
      ...base,
      type: 'text-added',
      at,
      channel: 'answer',
      text: pieces[(i * 7) % pieces.length]!,
      done: part === PIECES - 1,
    };
  const [proposed, finished] = callEvents(call, `${call} ${results[call % results.length]!}`);
  return { ...(part === PIECES ? proposed : finished), ...base, at };
}
