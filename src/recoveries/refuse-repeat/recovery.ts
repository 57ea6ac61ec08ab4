import { defineRecovery, type Situation } from '../recovery.ts';
import { choice, sentence } from '../wording.ts';

export const refuseRepeat = defineRecovery({
  name: 'refuse-repeat',
  rung: 'block',
  // Only where the very same call is known to be futile; a new try of a failing tool is not refused.
  answers: ['repeated-call', 'cycle', 'duplicate-batch'],
  needs: [],
  safety: 'reversible',
  options: {},
  plan: (situation) => ({ refuse: situation.signal.evidence.keys, firstResultAt: firstStep(situation) }),
  toModel: (situation) =>
    `This call was not run: its answer is already known. It has been the same ${situation.signal.count} times: see what ${situation.proposed ? `\`${situation.proposed.label}\`` : 'it'} brought earlier in this conversation. To get on: ${choice(situation.moves)}.`,
  toHuman: ({ signal, proposed }) =>
    `${sentence(signal.text)}. ${proposed ? `\`${proposed.label}\` was refused` : 'Its next repeat is refused'}.`,
});

/** The step that brought the answer first; in a round each call has its own. */
function firstStep({ signal, proposed }: Situation): number {
  const firsts = signal.evidence.facts.firsts as Record<string, number> | undefined;
  return (proposed && firsts?.[proposed.key]) ?? signal.since;
}
