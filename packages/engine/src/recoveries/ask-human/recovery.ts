import { defineRecovery, type Situation } from '../recovery.ts';
import {
  reportRequest,
  seenInFull,
  sentence,
  WE,
  WHILE_ASKED,
  WITHOUT_ANYBODY,
} from '../wording.ts';

export const askHuman = defineRecovery({
  name: 'ask-human',
  rung: 'escalate',
  answers: ['*'],
  needs: [],
  safety: 'advisory',
  options: {},
  plan: (situation) => ({ ask: situation.attended, report: report(situation) }),
  toModel: ({ signal, attended, isEnding, byPrice }) => {
    if (isEnding) return reportRequest(signal.text);
    if (signal.evidence.world === 'open')
      return `${WE} ${attended ? 'asks a human to look at this' : 'has recorded this'}: ${signal.text}. You may go on waiting: wait longer in one call, do something else meanwhile, or end your turn and say what you are waiting for.`;
    if (attended)
      return `${WE} asks a human to look at this: ${signal.text}. ${sentence(WHILE_ASKED)}.`;
    return byPrice
      ? `${WE} has recorded this: ${signal.text}. No human was asked. If you have nothing else to try, answer now with your report: what you tried, what you know, and what is needed to go on.`
      : `${WE} has recorded this: ${signal.text}. No human was asked, so leave it: ${WITHOUT_ANYBODY}.`;
  },
  toHuman: ({ signal, attended, tried }) =>
    `Unrut: ${seenInFull(signal)}${isAdvised(signal, tried) ? ', and advice did not help' : ''}. ${attended ? 'Please tell the agent how to go on.' : 'No human was asked.'}`,
});

/** What was planned within one message, the agent has not read. */
const isAdvised = (signal: Situation['signal'], tried: Situation['tried']): boolean =>
  tried.some(({ step }) => step < signal.step);

/** What a person needs to decide, as Markdown. */
function report({ signal, moves, tried }: Situation): string {
  return [
    '## Loop Detected',
    '',
    `**Pattern**: ${sentence(signal.text)}.`,
    `**Seen by**: \`${signal.detector}\` (${signal.variant}), steps ${signal.since} to ${signal.step}`,
    `**Tried**: ${tried.map(({ recovery, step }) => `${recovery} at step ${step}`).join(', ') || 'nothing yet'}`,
    '',
    '**Options**:',
    '',
    `1. **Continue with a different approach**: ${moves.slice(0, 3).join('; ')}.`,
    '2. **Review and debug**: look at the steps above.',
    '3. **Cancel**: stop the run; it can be resumed.',
  ].join('\n');
}
