import { dataFolder, isAbsoluteOn, joinOn, placeVariable } from '../../settings-files/places.ts';
import { openCodeTools as tools } from '../../tools/opencode.ts';
import { defineHost } from '../define-host.ts';
import { pluginAnswer } from '../reading/plugin-payload.ts';
import { opencodeCommand } from './command.ts';
import { opencodeInstall } from './install.ts';
import { opencodePlugin } from './payload.ts';
import { opencodeStream } from './stream.ts';
import { opencodeTranscript } from './transcript.ts';

/** OpenCode, by way of `plugin.ts`. */
export const opencode = defineHost({
  name: 'opencode',
  label: 'OpenCode',
  tools,
  programs: ['opencode'],
  runs(at) {
    const database = placeVariable(at, 'OPENCODE_DB') ?? 'opencode*.db';
    // These folders are the same on Windows and macOS.
    return [isAbsoluteOn(at, database) ? database : joinOn(at)(dataFolder(at), 'opencode', database)];
  },
  transcripts: [opencodeTranscript, opencodeStream],
  hooks: {
    can: ['note', 'hint', 'block', 'escalate', 'stop'],
    callsHaveIds: true,
    signs: { form: opencodePlugin.isOwn, precedence: 1 },
    payload: opencodePlugin.payload,
    answer: pluginAnswer('tool.execute.before', ['tool.execute.after', 'event']),
  },
  install: opencodeInstall,
  command: opencodeCommand,
});
