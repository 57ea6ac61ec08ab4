import { openCodeTools as tools } from '@unrut/engine/tools/families';
import { pluginAnswer } from '@unrut/reading/plugin-payload';
import { joinOn, placeVariable } from '../../settings-files/places.ts';
import { defineHost } from '../define-host.ts';
import { openclawInstall } from './install.ts';
import { openclawPlugin } from './payload.ts';
import { openclawTranscript } from './transcript.ts';

/**
 * OpenClaw, through `plugin.ts`. Each of its agents has a database or, in older versions, a folder
 * of sessions. Its plugins cannot end a run.
 */
export const openclaw = defineHost({
  name: 'openclaw',
  label: 'OpenClaw',
  tools,
  programs: ['openclaw'],
  runs(at) {
    const join = joinOn(at);
    const own = placeVariable(at, 'OPENCLAW_STATE_DIR');
    const folders =
      own === undefined ? ['.openclaw', '.clawdbot'].map((name) => join(at.home, name)) : [own];
    return folders.flatMap((folder) => [
      join(folder, 'agents', '*', 'agent', 'openclaw-agent.sqlite'),
      join(folder, 'agents', '*', 'sessions', '*.jsonl'),
    ]);
  },
  transcripts: [openclawTranscript],
  hooks: {
    can: ['note', 'hint', 'block', 'escalate'],
    callsHaveIds: true,
    shell: 'exec',
    signs: { form: openclawPlugin.isOwn },
    payload: openclawPlugin.payload,
    answer: pluginAnswer({
      before_tool_call: ['block'],
      tool_result_middleware: ['note', 'hint', 'escalate'],
    }),
    person: { starts: () => false, say: (_, text) => ({ show: text, handled: true }) },
  },
  install: openclawInstall,
});
