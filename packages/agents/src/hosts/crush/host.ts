import { defineHost } from '../define-host.ts';
import { crushInstall } from './install.ts';
import { crushPayload, eventOf, isOfCrush } from './payload.ts';
import { crushTranscript } from './transcript.ts';

export const crush = defineHost({
  name: 'crush',
  label: 'Crush',
  programs: ['crush'],
  // Only the current project's; Crush keeps no list of projects.
  runs: () => ['.crush/crush.db'],
  transcripts: [crushTranscript],
  hooks: {
    can: ['note', 'hint', 'block', 'stop'],
    callsHaveIds: false,
    shell: 'bash',
    signs: { form: isOfCrush, precedence: -1 },
    payload: crushPayload,
    // Everything is decided before the call: a text for its result, a block, or the end of the
    // turn.
    answer(payload) {
      if (eventOf(payload) !== 'pretooluse') return undefined;
      return {
        does: ['note', 'hint', 'block', 'stop'],
        say(rung, { toModel, toHuman }) {
          if (rung === 'stop') return { halt: true, reason: toHuman };
          return rung === 'block' ? { decision: 'deny', reason: toModel } : { context: toModel };
        },
      };
    },
  },
  install: crushInstall,
});
