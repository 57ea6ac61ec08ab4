import type { Rung } from '../event.ts';

/** What a plan on each rung does, and what it would have done: the words of both reports. */
export const DEEDS: Readonly<Record<Rung, { does: string; done: string }>> = {
  note: { does: 'tells the agent', done: 'told the agent' },
  hint: { does: 'offers the agent next moves', done: 'given it next moves' },
  substitute: { does: 'does something else instead', done: 'done something else instead' },
  block: { does: 'refuses the repeat', done: 'refused the call' },
  redirect: { does: 'sends the agent to another task', done: 'sent it to another task' },
  escalate: { does: 'asks a person', done: 'asked a person' },
  stop: { does: 'stops the run', done: 'stopped the run' },
};
