import { joinOn } from '../../settings-files/places.ts';
import { defineHost } from '../define-host.ts';
import { factoryTranscript } from './transcript.ts';

export const factory = defineHost({
  name: 'factory',
  label: 'Factory Droid',
  runs: (at) => [joinOn(at)(at.home, '.factory', 'sessions', '**', '*.jsonl')],
  transcripts: [factoryTranscript],
});
