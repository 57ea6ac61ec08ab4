import { pluginAnswer } from '@unrut/reading/plugin-payload';
import { joinOn } from '../../settings-files/places.ts';
import { defineHost } from '../define-host.ts';
import { hermesInstall } from './install.ts';
import { hermesPlugin } from './payload.ts';
import { hermesTranscript } from './transcript.ts';

/**
 * Hermes Agent, through a Python plugin that `install.ts` writes. Its plugins can block a call and
 * change a result, but not end a run.
 */
export const hermes = defineHost({
  name: 'hermes',
  label: 'Hermes Agent',
  programs: ['hermes'],
  runs(at) {
    const join = joinOn(at);
    const folder = hermesInstall.folder(at);
    return [join(folder, 'state.db'), join(folder, 'profiles', '*', 'state.db')];
  },
  transcripts: [hermesTranscript],
  hooks: {
    can: ['note', 'hint', 'block', 'escalate'],
    callsHaveIds: true,
    shell: 'terminal',
    signs: { form: hermesPlugin.isOwn },
    payload: hermesPlugin.payload,
    answer: pluginAnswer({
      pre_tool_call: ['block'],
      transform_tool_result: ['note', 'hint', 'escalate'],
    }),
  },
  install: hermesInstall,
});
