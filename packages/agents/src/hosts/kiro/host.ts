import { defineHost } from '../define-host.ts';
import { kiroInstall } from './install.ts';
import { isOfKiro, kiroEvent, kiroPayload } from './payload.ts';

/** Kiro, its command line and its editor. */
export const kiro = defineHost({
  name: 'kiro',
  label: 'Kiro',
  programs: ['kiro-cli', 'kiro'],
  hooks: {
    can: ['note', 'hint', 'block'],
    callsHaveIds: false,
    shell: 'execute_bash',
    signs: { form: isOfKiro },
    payload: kiroPayload,
    // Standard output is added to the context; with an exit code, standard error replaces the call.
    answer(payload) {
      const event = kiroEvent(payload);
      if (event === 'PreToolUse')
        return { does: ['block'], say: (_, { toModel }) => toModel, exitCode: 2, onStderr: true };
      return event === 'PostToolUse'
        ? { does: ['note', 'hint'], say: (_, { toModel }) => toModel }
        : undefined;
    },
  },
  install: kiroInstall,
});
