import { defineRecovery } from '../recovery.ts';
import { choice, sentence } from '../wording.ts';

export const sayWhatRepeats = defineRecovery({
  name: 'say-what-repeats',
  rung: 'note',
  answers: ['*'],
  needs: [],
  safety: 'advisory',
  options: {},
  plan: () => ({}),
  toModel: ({ signal, moves }) =>
    `Note: ${signal.text}. Doing it once more is unlikely to tell you anything else. Instead: ${choice(moves)}.`,
  toHuman: ({ signal }) => `${sentence(signal.text)}. The agent was told.`,
});
