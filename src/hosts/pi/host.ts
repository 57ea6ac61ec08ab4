import { joinOn, placeVariable } from '../../settings-files/places.ts';
import { openCodeTools as tools } from '../../tools/opencode.ts';
import { defineHost } from '../define-host.ts';
import { pluginAnswer } from '../reading/plugin-payload.ts';
import { piInstall } from './install.ts';
import { piPlugin } from './payload.ts';
import { piTranscript } from './transcript.ts';

/** pi, by way of `plugin.ts`. */
export const pi = defineHost({
  name: 'pi',
  label: 'pi',
  tools,
  programs: ['pi'],
  runs: (at) => [placeVariable(at, 'PI_CODING_AGENT_SESSION_DIR') ?? joinOn(at)(piInstall.folder(at), 'sessions')],
  transcripts: [piTranscript],
  hooks: {
    can: ['note', 'hint', 'block', 'escalate', 'stop'],
    callsHaveIds: true,
    signs: { form: piPlugin.isOwn, precedence: 1 },
    payload: piPlugin.payload,
    answer: pluginAnswer('tool_call', ['tool_result']),
    person: { starts: () => false, say: (_, text) => ({ show: text, handled: true }) },
  },
  install: piInstall,
});
