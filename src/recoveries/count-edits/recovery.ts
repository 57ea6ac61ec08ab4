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
  // Of a widget the note is known word for word by whoever reads it.
  toModel: ({ signal }) =>
    `${signal.evidence.target?.startsWith('file:') ? WE : 'Note'}: ${signal.text} — ${signal.evidence.facts.remedy}.`,
  toHuman: noteLine,
});
