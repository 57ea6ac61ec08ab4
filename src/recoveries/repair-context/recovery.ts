import { defineRecovery } from '../recovery.ts';
import { sentence } from '../wording.ts';

export const repairContext = defineRecovery({
  name: 'repair-context',
  rung: 'redirect',
  answers: ['repeated-call', 'cycle', 'repeated-error', 'duplicate-batch', 'monologue', 'repeated-thought'],
  needs: ['rewrite-history'],
  safety: 'reversible',
  options: {},
  plan: ({ signal }) => ({ collapse: { from: signal.since, to: signal.step, keys: signal.evidence.keys, count: signal.count } }),
  toModel: ({ signal, moves }) =>
    `The repeated steps were folded into one, with their count (${signal.count}). ${sentence(moves[0] ?? 'take another way')}.`,
  toHuman: ({ signal }) => `${sentence(signal.text)}. The copies were taken out of the agent's history.`,
});
