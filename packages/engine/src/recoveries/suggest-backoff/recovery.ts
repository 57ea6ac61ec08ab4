import * as option from '../../option-kinds.ts';
import { defineRecovery } from '../recovery.ts';
import { noteLine, noteWords } from '../wording.ts';

export const suggestBackoff = defineRecovery({
  name: 'suggest-backoff',
  rung: 'note',
  answers: ['stale-poll', 'repeated-error/transient'],
  needs: [],
  safety: 'advisory',
  options: {
    firstSeconds: option.number(
      15,
      { from: 0 },
      'First advised wait in seconds; each later one is twice as long.',
    ),
    mostSeconds: option.number(300, { from: 0 }, 'Longest advised wait in seconds.'),
  },
  plan: ({ signal }, { firstSeconds, mostSeconds }) => ({
    waitSeconds: Math.min(
      mostSeconds,
      firstSeconds * 2 ** Math.max(0, Math.min(8, signal.count - 3)),
    ),
  }),
  toModel: noteWords,
  toHuman: noteLine,
});
