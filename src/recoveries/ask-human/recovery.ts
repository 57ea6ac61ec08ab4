import { defineRecovery, type Situation } from '../recovery.ts';
import { choice, reportRequest, sentence } from '../wording.ts';

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
        ? `A person is being asked to look at this: ${signal.text}. Until there is an answer, leave it, and say in two sentences what you need and what you would try next.`
        : `This was reported: ${signal.text}. Nobody is there to answer. Leave it, write down what you know and what is missing, and go on with something else or finish.`,
  toHuman: ({ signal }) => `${sentence(signal.text)}, in spite of what was tried. Please have a look.`,
});

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
    `1. **Continue with a different approach**: ${choice(moves)}.`,
    '2. **Review and debug**: look at the steps above.',
    '3. **Cancel**: stop the run; it can be resumed.',
  ].join('\n');
}
