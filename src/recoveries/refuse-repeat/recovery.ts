import { defineRecovery } from '../recovery.ts';
import { choice, sentence } from '../wording.ts';

export const refuseRepeat = defineRecovery<object>({
  name: 'refuse-repeat',
  rung: 'block',
  // Only where the very same call is known to be futile; a new try of a failing tool is not refused.
  answers: ['repeated-call', 'cycle', 'duplicate-batch'],
  needs: [],
  safety: 'reversible',
  options: {},
  plan: ({ signal }) => ({ refuse: signal.evidence.keys, firstResultAt: signal.since }),
  toModel: ({ signal, moves }) =>
    `This call was not run: its answer is already known. See the result of step ${signal.since}; it has been the same ${signal.count} times. To get on: ${choice(moves)}.`,
  toHuman: ({ signal, proposed }) =>
    `${sentence(signal.text)}. ${proposed ? `\`${proposed}\` was refused` : 'Its next repeat is refused'}.`,
});
