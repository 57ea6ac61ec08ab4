import { defineRecovery } from '../recovery.ts';

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
  toModel: ({ signal }) => `The run is stopped here: ${signal.text}, and nothing that was tried has changed it. It can be resumed.`,
  toHuman: ({ signal }) => `Stopped: ${signal.text}. The run can be resumed.`,
});
