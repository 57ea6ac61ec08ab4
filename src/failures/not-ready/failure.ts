import { defineFailure } from '../failure.ts';

const SLOW =
  /tim(?:ed? ?out|eout)|deadline exceeded|econnrefused|connection refused|econnreset|connection reset|socket hang up|err_connection|net::err_(?!cert|blocked|aborted)|\bstill (?:loading|starting)\b|not (?:yet )?ready|temporarily unavailable|service unavailable|bad gateway|50[234]\b/i;

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
      does: 'wait for something that shows it is ready',
      reason: 'a condition ends as soon as it holds; another blind try runs into the same limit',
    },
    {
      name: 'read-afresh',
      base: 0.85,
      risk: 'read_only',
      by: ['page-look', 'file-read'],
      does: 'read the present state',
      reason: 'it may have come through after the limit',
    },
    {
      name: 'check-alive',
      base: 0.75,
      risk: 'read_only',
      by: ['page-list'],
      does: 'check that what it waits for is running at all',
      reason: 'waiting for something that is down never ends',
    },
  ],
});
