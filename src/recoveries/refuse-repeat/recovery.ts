import { type Action, defineRecovery, type Situation } from '../recovery.ts';
import { choice, reportRequest, sentence } from '../wording.ts';

export const refuseRepeat = defineRecovery({
  name: 'refuse-repeat',
  rung: 'block',
  // Only where the very same call is known to be futile; a new try of a failing tool is not refused.
  answers: ['repeated-call', 'cycle', 'duplicate-batch'],
  needs: [],
  safety: 'reversible',
  options: {},
  plan: (situation): Action =>
    situation.isEnding ? { report: true } : { refuse: situation.signal.evidence.keys, firstResultAt: firstStep(situation) },
  toModel: (situation) => (situation.isEnding ? reportRequest(situation.signal.text) : refusal(situation)),
  toHuman: ({ signal, proposed }) =>
    `${sentence(signal.text)}. ${proposed ? `\`${proposed.label}\` was refused` : 'Its next repeat is refused'}.`,
});

/** At length once: who tries again has read it. */
function refusal({ signal, proposed, tried, moves }: Situation): string {
  const call = proposed ? `\`${proposed.label}\`` : 'it';
  const times = proposed?.times ?? signal.count;
  if (tried.some(({ rung }) => rung === 'block'))
    return `This call was not run either: nothing has changed since ${call} brought the same ${times} times.`;
  return `This call was not run: its answer is already known. It has been the same ${times} times: see what ${call} brought earlier in this conversation. To get on: ${choice(moves)}.`;
}

/** The step that brought the answer first; in a round each call has its own. */
function firstStep({ signal, proposed }: Situation): number {
  const firsts = signal.evidence.facts.firsts as Record<string, number> | undefined;
  return (proposed && firsts?.[proposed.key]) ?? signal.since;
}
