import type { Rung } from '@unrut/engine/event';

/** The action of each rung in the present and past tense, and a word for its target. */
export const DEEDS: Readonly<Record<Rung, { does: string; done: string; brief: string }>> = {
  note: { does: 'warns the agent', done: 'warned the agent', brief: 'warned' },
  hint: {
    does: 'suggests next steps',
    done: 'suggested next steps',
    brief: 'suggested next steps',
  },
  substitute: {
    does: 'does something else instead',
    done: 'done something else instead',
    brief: 'offered another call',
  },
  block: { does: 'blocks the call', done: 'blocked the call', brief: 'blocked' },
  redirect: {
    does: 'moves the agent to another task',
    done: 'moved the agent to another task',
    brief: 'redirected',
  },
  escalate: { does: 'asks a human', done: 'asked a human', brief: 'asked you' },
  stop: { does: 'stops the run', done: 'stopped the run', brief: 'stopped' },
};
