import { defineRecovery } from '../recovery.ts';
import { HINT, WE, withMoves } from '../wording.ts';

export const offerNextMoves = defineRecovery({
  name: 'offer-next-moves',
  rung: 'hint',
  answers: ['*'],
  needs: [],
  safety: 'advisory',
  options: {},
  ranks: true,
  plan: () => ({}),
  toModel: ({ signal, moves, tried }) =>
    withMoves(`${WE}${tried.length > 0 ? ' again' : ''}: ${signal.text}.`, moves, HINT),
  toHuman: ({ signal, tried }) =>
    `Unrut ${tried.length > 0 ? 'reminded the agent' : 'gave the agent next steps'}: ${signal.text}.`,
});
