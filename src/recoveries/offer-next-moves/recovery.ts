import { defineRecovery } from '../recovery.ts';
import { sentence } from '../wording.ts';

export const offerNextMoves = defineRecovery({
  name: 'offer-next-moves',
  rung: 'hint',
  answers: ['*'],
  needs: [],
  safety: 'advisory',
  options: {},
  ranks: true,
  plan: () => ({}),
  toModel({ signal, moves, tried }) {
    const still = tried.length > 0 ? 'This is still going on' : 'This is not getting anywhere';
    return `${still}: ${signal.text}. What would a different result look like, and which step could bring it? ${moves
      .map((move, i) => `${i + 1}. ${sentence(move)}.`)
      .join(' ')}`;
  },
  toHuman: ({ signal }) => `${sentence(signal.text)}. The agent was given next moves.`,
});
