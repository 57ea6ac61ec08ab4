import { openCodeTools as tools } from '@unrut/engine/tools/families';
import { AFTER_CALL } from '@unrut/reading/hook-answer';
import { pluginAnswer } from '@unrut/reading/plugin-payload';
import {
  configFolder,
  dataFolder,
  isAbsoluteOn,
  joinOn,
  placeVariable,
  settingsPath,
} from '../../settings-files/places.ts';
import { pluginEdits } from '../../settings-files/plugin-file.ts';
import { defineHost, type HostInstall } from '../define-host.ts';
import { opencodePermission } from '../permission-line.ts';
import { opencodeCommand } from './command.ts';
import { opencodePlugin } from './payload.ts';
import { opencodeStream } from './stream.ts';
import { opencodeTranscript } from './transcript.ts';

const opencodeInstall: HostInstall = {
  folder: (at) =>
    placeVariable(at, 'OPENCODE_CONFIG_DIR') ?? joinOn(at)(configFolder(at), 'opencode'),
  edits(order) {
    const path = settingsPath(order, opencodeInstall.folder, '.opencode', 'plugins', 'unrut.js');
    return pluginEdits(
      { host: 'opencode', path, exported: 'export const Unrut =', maker: 'createOpencodePlugin' },
      order,
    );
  },
  instructions: { user: 'AGENTS.md', project: 'AGENTS.md' },
};

/** OpenCode, by way of `plugin.ts`. */
export const opencode = defineHost({
  name: 'opencode',
  label: 'OpenCode',
  tools,
  programs: ['opencode'],
  runs(at) {
    const database = placeVariable(at, 'OPENCODE_DB') ?? 'opencode*.db';
    // These folders are the same on Windows and macOS.
    return [
      isAbsoluteOn(at, database) ? database : joinOn(at)(dataFolder(at), 'opencode', database),
    ];
  },
  transcripts: [opencodeTranscript, opencodeStream],
  hooks: {
    can: ['note', 'hint', 'block', 'escalate', 'stop'],
    callsHaveIds: true,
    shell: 'bash',
    reports: ['subagents'],
    signs: { form: opencodePlugin.isOwn, precedence: 1 },
    payload: opencodePlugin.payload,
    permission: opencodePermission,
    answer: pluginAnswer({
      'tool.execute.before': ['block'],
      'tool.execute.after': AFTER_CALL,
      event: AFTER_CALL,
      'session.idle': ['escalate', 'stop'],
    }),
  },
  install: opencodeInstall,
  command: opencodeCommand,
});
