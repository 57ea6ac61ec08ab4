import { openCodeTools as tools } from '@unrut/engine/tools/families';
import { AFTER_CALL } from '@unrut/reading/hook-answer';
import { pluginAnswer } from '@unrut/reading/plugin-payload';
import {
  joinOn,
  placeVariable,
  settingsFolder,
  settingsPath,
} from '../../settings-files/places.ts';
import { pluginEdits } from '../../settings-files/plugin-file.ts';
import { defineHost, type HostInstall } from '../define-host.ts';
import { piPlugin } from './payload.ts';
import { piTranscript } from './transcript.ts';

const piInstall: HostInstall = {
  folder: (at) => settingsFolder(at, 'PI_CODING_AGENT_DIR', '.pi', 'agent'),
  edits(order) {
    const path = settingsPath(order, piInstall.folder, '.pi', 'extensions', 'unrut.js');
    return pluginEdits(
      { host: 'pi', path, exported: 'export default', maker: 'createPiExtension' },
      order,
    );
  },
  instructions: { user: 'AGENTS.md', project: 'AGENTS.md' },
};

/** pi, by way of `plugin.ts`. */
export const pi = defineHost({
  name: 'pi',
  label: 'pi',
  tools,
  programs: ['pi'],
  runs: (at) => [
    placeVariable(at, 'PI_CODING_AGENT_SESSION_DIR') ??
      joinOn(at)(piInstall.folder(at), 'sessions'),
  ],
  transcripts: [piTranscript],
  hooks: {
    can: ['note', 'hint', 'block', 'escalate', 'stop'],
    callsHaveIds: true,
    shell: 'bash',
    signs: { form: piPlugin.isOwn, precedence: 1 },
    payload: piPlugin.payload,
    answer: pluginAnswer({
      tool_call: ['block'],
      tool_result: AFTER_CALL,
      agent_end: ['escalate', 'stop'],
    }),
    person: { starts: () => false, say: (_, text) => ({ show: text, handled: true }) },
  },
  install: piInstall,
});
