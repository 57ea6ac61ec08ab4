import { defineRecovery } from '../recovery.ts';
import { sentence } from '../wording.ts';

export const countEdits = defineRecovery({
  name: 'count-edits',
  rung: 'note',
  answers: ['edit-streak'],
  needs: [],
  safety: 'advisory',
  options: {},
  plan: ({ signal }) => ({ consecutivePatchCount: signal.count }),
  toModel: ({ signal }) => `Note: ${signal.text} — ${signal.evidence.facts.remedy}.`,
  toHuman: ({ signal }) => `${sentence(signal.text)}. The agent was told.`,
});
