import { defineFailure } from '../failure.ts';

const SLOW =
  /tim(?:ed? ?out|eout)|deadline exceeded|econnreset|connection reset|socket hang up|err_(?:connection|timed_out|network_changed|empty_response)|\bstill (?:loading|starting)\b|not (?:yet )?ready|temporarily unavailable|service unavailable|bad gateway|50[234]\b/i;

export const notReady = defineFailure({
  name: 'not-ready',
  means: 'the other side was not ready in time',
  recognises: ({ error, said }) => error && SLOW.test(said),
  moves: [
    {
      name: 'wait-for-condition',
      base: 0.95,
      risk: 'read_only',
      by: ['page-wait', 'wait'],
      does: 'give it time before trying again',
      reason: 'it needs time, so an immediate retry may fail, too',
      args: (_, role, tool) =>
        role === 'page-wait' && tool.includes('browser_') ? { time: 5 } : null,
    },
    {
      name: 'read-afresh',
      base: 0.85,
      risk: 'read_only',
      by: ['page-look', 'file-read'],
      does: 'read the current state',
      reason: 'it may have come through after the limit, or show something else',
    },
    {
      name: 'check-alive',
      base: 0.75,
      risk: 'read_only',
      by: ['page-list'],
      does: 'check that what it waits for is running',
      reason: 'waiting for something that is down never ends',
    },
  ],
});
