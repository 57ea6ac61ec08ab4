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
  toModel: ({ signal, attended, isEnding }) =>
    isEnding
      ? reportRequest(signal.text)
      : attended
        ? `${WE} has asked the user to look at this: ${signal.text}. ${sentence(WHILE_ASKED)}.`
        : `${WE} has recorded this: ${signal.text}. Nobody is watching, so leave it: ${WITHOUT_ANYBODY}.`,
  toHuman: ({ signal, attended, tried }) =>
    `Unrut: ${seenInFull(signal)}${isAdvised(signal, tried) ? ', and advice did not help' : ''}. ${attended ? 'Please tell the agent how to go on.' : 'Nobody was there to ask.'}`,
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
