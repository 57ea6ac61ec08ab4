import { dataFolder, isAbsoluteOn, joinOn, placeVariable, settingsFolder } from '../../settings-files/places.ts';
import { defineHost } from '../define-host.ts';
import { readGooseDatabase } from './database.ts';
import { gooseTranscript } from './transcript.ts';

export const goose = defineHost({
  name: 'goose',
  label: 'goose',
  runs(at) {
    const join = joinOn(at);
    const root = placeVariable(at, 'GOOSE_PATH_ROOT');
    if (root !== undefined && isAbsoluteOn(at, root)) return [join(root, 'data', 'sessions')];
    if (at.platform !== 'win32') return [join(dataFolder(at), 'goose', 'sessions')];
    return [join(settingsFolder(at, 'APPDATA', 'AppData', 'Roaming'), 'Block', 'goose', 'data', 'sessions')];
  },
  transcripts: [gooseTranscript],
  database: readGooseDatabase,
});
