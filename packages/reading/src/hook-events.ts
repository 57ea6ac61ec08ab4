import type { AgentEvent, EventBase, EventType } from '@unrut/engine/event';
import { hash32 } from '@unrut/engine/hash';
import { present } from '@unrut/engine/json';
import type { HookStep } from './hook-thread.ts';

/** The run and time of a payload. */
export type HookPlace = Pick<EventBase, 'session' | 'agent' | 'at'> & {
  /** Identifies this turn or moment; undefined if the host does not identify it. */
  turn: string | undefined;
};

/** The event of a step; nothing for a call of no tool. */
export function toEvent(step: HookStep, place: HookPlace): AgentEvent | undefined {
  if (step.what === 'calls' || step.what === 'returned') {
    const { call, batch, name } = step;
    if (call.tool === '') return undefined;
    if (step.what === 'calls') {
      const { modelMs } = step;
      return {
        ...baseOf('call-proposed', place, name),
        type: 'call-proposed',
        call,
        batch,
        ...present({ modelMs }),
      };
    }
    return {
      ...baseOf('call-finished', place, name),
      type: 'call-finished',
      call,
      batch,
      ...step.returned,
    };
  }
  if (step.what === 'compacted')
    return {
      ...baseOf('context-compacted', place),
      type: 'context-compacted',
      ...(step.again ? { again: true } : {}),
    };
  if (step.what === 'ended') {
    const { outcome } = step;
    return {
      ...baseOf('session-ended', place),
      type: 'session-ended',
      ...present({ outcome }),
    };
  }
  const { text } = step;
  if (step.what === 'person') {
    const name = place.turn === undefined ? undefined : `${place.turn} ${hash32(text)}`;
    return { ...baseOf('user-spoke', place, name), type: 'user-spoke', text };
  }
  const channel = step.what === 'thinks' ? 'thinking' : 'answer';
  return { ...baseOf('text-added', place), type: 'text-added', channel, done: true, text };
}

/**
 * The fields that all events share. Ids derive from the host's own, so that a hook that fires twice
 * counts once.
 */
export function baseOf(
  type: EventType,
  { session, agent, at }: HookPlace,
  name?: string,
): EventBase {
  const id =
    name === undefined
      ? {}
      : { id: [session, ...(agent === undefined ? [] : [agent]), name, type].join(' ') };
  return { session, at, ...present({ agent }), ...id };
}
