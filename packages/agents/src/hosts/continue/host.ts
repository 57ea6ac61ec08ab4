import { joinOn, settingsFolder } from '../../settings-files/places.ts';
import { defineHost } from '../define-host.ts';
import { continueTranscript } from './transcript.ts';

export const continueDev = defineHost({
  name: 'continue',
  label: 'Continue',
  runs: (at) => [
    joinOn(at)(settingsFolder(at, 'CONTINUE_GLOBAL_DIR', '.continue'), 'sessions', '*-*.json'),
  ],
  transcripts: [continueTranscript],
});
