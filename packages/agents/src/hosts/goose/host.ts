import { defineHost } from '../define-host.ts';
import { gooseInstall, gooseSessions } from './install.ts';
import { goosePayload, isOfGoose } from './payload.ts';
import { gooseTranscript } from './transcript.ts';

/**
 * goose, which accepts only blocks and does not report results: notes and hints reach only people.
 */
export const goose = defineHost({
  name: 'goose',
  label: 'goose',
  programs: ['goose'],
  folders: (at) => [gooseSessions(at)],
  runs: (at) => [gooseSessions(at)],
  transcripts: [gooseTranscript],
  hooks: {
    can: ['note', 'hint', 'block'],
    callsHaveIds: true,
    shell: 'developer__shell',
    signs: { form: isOfGoose },
    payload: goosePayload,
    answer: ({ event }) =>
      event === 'PreToolUse'
        ? { does: ['block'], say: (_, { toModel }) => ({ decision: 'block', reason: toModel }) }
        : undefined,
  },
  install: gooseInstall,
});
