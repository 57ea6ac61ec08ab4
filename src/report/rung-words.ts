import type { Rung } from '../event.ts';

/** What a plan on each rung does, in the present and the past tense. */
export const DEEDS: Readonly<Record<Rung, { does: string; done: string }>> = {
  note: { does: 'warns the agent', done: 'warned the agent' },
  hint: { does: 'suggests next steps', done: 'suggested next steps' },
  substitute: { does: 'does something else instead', done: 'done something else instead' },
  block: { does: 'blocks the call', done: 'blocked the call' },
  redirect: { does: 'moves the agent to another task', done: 'moved the agent to another task' },
  escalate: { does: 'asks a human', done: 'asked a human' },
  stop: { does: 'stops the run', done: 'stopped the run' },
};
