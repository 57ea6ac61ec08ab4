import { defineRecovery, type Situation } from '../recovery.ts';
import { HINT, WE, withMoves } from '../wording.ts';

export const refuseRepeat = defineRecovery({
  name: 'refuse-repeat',
  rung: 'block',
  // Only where the very same call is known to be futile; a new try of a failing tool is not refused.
  answers: ['repeated-call', 'cycle', 'duplicate-batch'],
  needs: [],
  safety: 'reversible',
  options: {},
  ranks: true,
  plan: (situation) => ({ refuse: situation.signal.evidence.keys, firstResultAt: firstStep(situation) }),
  toModel: ({ signal, proposed, moves }) =>
    withMoves(`${WE} did not run ${named(proposed)}: ${of(signal.text, named(proposed))}. Its last result stands above.`, moves, HINT),
  toHuman: ({ signal, proposed }) => `Unrut blocked ${named(proposed)}: ${of(signal.text, named(proposed))}.`,
});

const named = (proposed: Situation['proposed']): string => (proposed ? `\`${proposed.label}\`` : 'this call');

/** The same sentence where its subject has just been named. */
const of = (text: string, name: string): string => (text.startsWith(`${name} `) ? `it${text.slice(name.length)}` : text);

/** The step that brought the answer first; in a round each call has its own. */
function firstStep({ signal, proposed }: Situation): number {
  const firsts = signal.evidence.facts.firsts as Record<string, number> | undefined;
  return (proposed && firsts?.[proposed.key]) ?? signal.since;
}
