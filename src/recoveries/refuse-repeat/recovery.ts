import type { Rung } from '../../event.ts';
import { type Action, defineRecovery, type Situation } from '../recovery.ts';
import { HINT, reportRequest, sentence, WE, WHILE_ASKED, WITHOUT_ANYBODY, withMoves } from '../wording.ts';

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
  toModel: (situation) => (situation.isEnding ? reportRequest(situation.signal.text, true) : refusal(situation)),
  toHuman: ({ signal, proposed, isEnding }) =>
    isEnding
      ? `Unrut asked the agent for its report before stopping the run: ${signal.text}.`
      : `Unrut blocked ${named(proposed)}: ${of(signal.text, named(proposed))}.`,
});

/** At length once: who tries again has read it, unless a person has spoken since, and gets the best move alone. */
function refusal({ signal, proposed, tried, moves, attended }: Situation): string {
  const call = named(proposed);
  const what = of(signal.text, call);
  const wasDone = (done: Rung): boolean => tried.some(({ rung, heard }) => rung === done && !heard);
  if (!wasDone('block')) return withMoves(`${WE} did not run ${call}: ${what}. Its last result stands above.`, moves, HINT);
  const again = `${WE} did not run ${call} again: ${what}, and nothing has changed since.`;
  if (wasDone('escalate')) return `${again} ${sentence(attended ? WHILE_ASKED : WITHOUT_ANYBODY)}.`;
  return withMoves(again, moves.slice(0, 1), HINT);
}

const named = (proposed: Situation['proposed']): string => (proposed ? `\`${proposed.label}\`` : 'this call');

/** The same sentence where its subject has just been named. */
const of = (text: string, name: string): string => (text.startsWith(`${name} `) ? `it${text.slice(name.length)}` : text);

/** The step that brought the answer first; in a round each call has its own. */
function firstStep({ signal, proposed }: Situation): number {
  const firsts = signal.evidence.facts.firsts as Record<string, number> | undefined;
  return (proposed && firsts?.[proposed.key]) ?? signal.since;
}
