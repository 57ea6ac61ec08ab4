import { dataFolder, joinOn } from '../../settings-files/places.ts';
import { defineHost } from '../define-host.ts';
import { ampTranscript } from './transcript.ts';

export const amp = defineHost({
  name: 'amp',
  label: 'Amp',
  runs: (at) => [joinOn(at)(dataFolder(at), 'amp', 'threads')],
  transcripts: [ampTranscript],
});
