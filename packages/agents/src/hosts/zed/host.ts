import { dataFolder, joinOn, settingsFolder } from '../../settings-files/places.ts';
import { defineHost } from '../define-host.ts';
import { zedTranscript } from './transcript.ts';

export const zed = defineHost({
  name: 'zed',
  label: 'Zed',
  runs(at) {
    const join = joinOn(at);
    const data =
      at.platform === 'darwin'
        ? join(at.home, 'Library', 'Application Support', 'Zed')
        : at.platform === 'win32'
          ? join(settingsFolder(at, 'LOCALAPPDATA', 'AppData', 'Local'), 'Zed')
          : join(dataFolder(at), 'zed');
    return [join(data, 'threads', 'threads.db')];
  },
  transcripts: [zedTranscript],
});
