import { openCodeTools as tools } from '@unrut/engine/tools/families';
import { joinOn, placeVariable } from '../../settings-files/places.ts';
import { defineHost } from '../define-host.ts';
import { openclawTranscript } from './transcript.ts';

/** OpenClaw, whose agent is built on pi. Each of its agents has a folder of sessions. */
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
    return folders.map((folder) => join(folder, 'agents', '*', 'sessions', '*.jsonl'));
  },
  transcripts: [openclawTranscript],
});
