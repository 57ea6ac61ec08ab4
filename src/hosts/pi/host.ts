import { folderOf, joinOn, variableOf } from '../../settings-files/places.ts';
import { defineHost } from '../define-host.ts';
import { piTranscript } from './transcript.ts';

export const pi = defineHost({
  name: 'pi',
  label: 'pi',
  runs: (at) => [
    variableOf(at, 'PI_CODING_AGENT_SESSION_DIR') ?? joinOn(at)(folderOf(at, 'PI_CODING_AGENT_DIR', '.pi', 'agent'), 'sessions'),
  ],
  transcripts: [piTranscript],
});
