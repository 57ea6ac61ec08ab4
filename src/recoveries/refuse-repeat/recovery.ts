import { type Action, defineRecovery, type Situation } from '../recovery.ts';
import { HINT, reportRequest, WE, withMoves } from '../wording.ts';

export const refuseRepeat = defineRecovery({
  name: 'refuse-repeat',
  rung: 'block',
  // Only where the very same call is known to be futile; a new try of a failing tool is not refused.
  answers: ['repeated-call', 'cycle', 'duplicate-batch'],
  needs: [],
  safety: 'reversible',
  options: {},
  ranks: true,
  plan: (situation): Action =>
    situation.isEnding ? { report: true } : { refuse: situation.signal.evidence.keys, firstResultAt: firstStep(situation) },
  toModel: (situation) => (situation.isEnding ? reportRequest(situation.signal.text) : refusal(situation)),
  toHuman: ({ signal, proposed, isEnding }) =>
    isEnding
      ? `Unrut asked the agent for its report before stopping the run: ${signal.text}.`
      : `Unrut blocked ${named(proposed)}: ${of(signal.text, named(proposed))}.`,
});

/** At length once: who tries again has read it, unless a person has spoken since. */
function refusal({ signal, proposed, tried, moves }: Situation): string {
  const call = named(proposed);
  const what = of(signal.text, call);
  if (tried.some(({ rung, heard }) => rung === 'block' && !heard))
    return `${WE} did not run ${call} again: ${what}, and nothing has changed since.`;
  return withMoves(`${WE} did not run ${call}: ${what}. Its last result stands above.`, moves, HINT);
}

const named = (proposed: Situation['proposed']): string => (proposed ? `\`${proposed.label}\`` : 'this call');

/** The same sentence where its subject has just been named. */
const of = (text: string, name: string): string => (text.startsWith(`${name} `) ? `it${text.slice(name.length)}` : text);

/** The step that brought the answer first; in a round each call has its own. */
function firstStep({ signal, proposed }: Situation): number {
  const firsts = signal.evidence.facts.firsts as Record<string, number> | undefined;
  return (proposed && firsts?.[proposed.key]) ?? signal.since;
}
