import { joinOn, placeVariable, settingsFolder } from '../../settings-files/places.ts';
import { defineHost } from '../define-host.ts';
import { piTranscript } from './transcript.ts';

export const pi = defineHost({
  name: 'pi',
  label: 'pi',
  runs: (at) => [
    placeVariable(at, 'PI_CODING_AGENT_SESSION_DIR') ?? joinOn(at)(settingsFolder(at, 'PI_CODING_AGENT_DIR', '.pi', 'agent'), 'sessions'),
  ],
  transcripts: [piTranscript],
});
