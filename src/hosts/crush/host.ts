import { defineHost } from '../define-host.ts';
import { crushAnswer } from './answer.ts';
import { crushInstall } from './install.ts';
import { crushPayload, isOfCrush } from './payload.ts';
import { crushTranscript, readCrushDatabase } from './transcript.ts';

export const crush = defineHost({
  name: 'crush',
  label: 'Crush',
  programs: ['crush'],
  // Of the project that is worked in: it keeps no list of the others.
  runs: () => ['.crush/crush.db'],
  transcripts: [crushTranscript],
  database: readCrushDatabase,
  hooks: {
    can: ['note', 'hint', 'block', 'stop'],
    callsHaveIds: false,
    signs: { form: isOfCrush, precedence: -1 },
    payload: crushPayload,
    answer: crushAnswer,
  },
  install: crushInstall,
});
