import { defineRecovery } from '../recovery.ts';
import { seenInFull, WE } from '../wording.ts';

export const stopRun = defineRecovery({
  name: 'stop-run',
  rung: 'stop',
  answers: ['*'],
  needs: [],
  safety: 'reversible',
  options: {},
  plan: ({ signal, tried }) => ({
    stop: {
      code: 'loop',
      detector: signal.detector,
      variant: signal.variant,
      count: signal.count,
      since: signal.since,
      tried: tried.map(({ recovery }) => recovery),
    },
    resumable: true,
  }),
  toModel: ({ signal }) =>
    `${WE} stopped the run: ${signal.text}, and no advice has changed that. If the user resumes it, begin with something else.`,
  toHuman: ({ signal }) =>
    `Unrut stopped the run: ${seenInFull(signal)}. To resume it, tell the agent to go on.`,
});
