import type { Rung } from '../../event.ts';
import { type Action, defineRecovery, type Situation } from '../recovery.ts';
import {
  HINT,
  reportRequest,
  sentence,
  WE,
  WHILE_ASKED,
  WITHOUT_ANYBODY,
  withMoves,
} from '../wording.ts';

export const refuseRepeat = defineRecovery({
  name: 'refuse-repeat',
  rung: 'block',
  // Only detectors that know the exact same call to be futile. Retrying a failing tool is not
  // refused.
  answers: ['repeated-call', 'cycle', 'duplicate-batch'],
  needs: [],
  safety: 'reversible',
  options: {},
  ranks: true,
  plan: (situation): Action =>
    situation.isEnding
      ? { report: true }
      : { refuse: situation.signal.evidence.keys, firstResultAt: firstStep(situation) },
  toModel: (situation) =>
    situation.isEnding ? reportRequest(situation.signal.text, true) : refusal(situation),
  toHuman: ({ signal, proposed, isEnding }) =>
    isEnding
      ? `Unrut asked the agent for its report before stopping the run: ${signal.text}.`
      : `Unrut blocked ${named(proposed)}: ${of(signal.text, named(proposed))}.`,
});

/**
 * Explains itself in full once. After that, unless a person has spoken since, the agent gets only
 * the best move.
 */
function refusal({ signal, proposed, tried, moves, attended }: Situation): string {
  const call = named(proposed);
  const what = of(signal.text, call);
  const wasDone = (done: Rung): boolean => tried.some(({ rung, heard }) => rung === done && !heard);
  if (!wasDone('block'))
    return withMoves(
      `${WE} did not run ${call}: ${what}. Its last result stands above.`,
      moves,
      HINT,
    );
  const again = `${WE} did not run ${call} again: ${what}, and nothing that you did since could change that.`;
  if (wasDone('escalate')) return `${again} ${sentence(attended ? WHILE_ASKED : WITHOUT_ANYBODY)}.`;
  return withMoves(again, moves.slice(0, 1), HINT);
}

const named = (proposed: Situation['proposed']): string =>
  proposed ? `\`${proposed.label}\`` : 'this call';

/** Replaces the subject of a sentence by `it` if it was just named. */
const of = (text: string, name: string): string =>
  text.startsWith(`${name} `) ? `it${text.slice(name.length)}` : text;

/** The step that first brought the result. In a cycle, each call has its own. */
function firstStep({ signal, proposed }: Situation): number {
  const firsts = signal.evidence.facts.firsts as Record<string, number> | undefined;
  return (proposed && firsts?.[proposed.key]) ?? signal.since;
}
