import { defineRecovery } from '../recovery.ts';
import { noteLine, noteWords } from '../wording.ts';

export const sayWhatRepeats = defineRecovery({
  name: 'say-what-repeats',
  rung: 'note',
  answers: ['*'],
  needs: [],
  safety: 'advisory',
  options: {},
  ranks: true,
  plan: () => ({}),
  toModel: noteWords,
  toHuman: noteLine,
});
