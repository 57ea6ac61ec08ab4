import { defineRecovery } from '../recovery.ts';
import { sentence } from '../wording.ts';

export const suggestBackoff = defineRecovery<{ firstSeconds: number; mostSeconds: number }>({
  name: 'suggest-backoff',
  rung: 'note',
  answers: ['stale-poll', 'repeated-error/transient'],
  needs: [],
  safety: 'advisory',
  options: { firstSeconds: 15, mostSeconds: 300 },
  plan: ({ signal }, { firstSeconds, mostSeconds }) => ({
    waitSeconds: Math.min(mostSeconds, firstSeconds * 2 ** Math.max(0, Math.min(8, signal.count - 3))),
  }),
  toModel: ({ signal }) =>
    `Note: ${signal.text}. Wait before asking again, twice as long each time, and do something else meanwhile; if it still does not move, check in another way what it is waiting for.`,
  toHuman: ({ signal }) => `${sentence(signal.text)}. The agent was advised to wait longer.`,
});
