import { defineRecovery } from '../recovery.ts';
import { noteLine, WE } from '../wording.ts';

export const countEdits = defineRecovery({
  name: 'count-edits',
  rung: 'note',
  answers: ['edit-streak'],
  needs: [],
  safety: 'advisory',
  options: {},
  plan: ({ signal }) => ({ consecutivePatchCount: signal.count }),
  // Programs that patch widgets depend on the exact text of this note.
  toModel: ({ signal }) =>
    `${signal.evidence.target?.startsWith('file:') ? WE : 'Note'}: ${signal.text} — ${signal.evidence.facts.remedy}.`,
  toHuman: noteLine,
});
