import { pluginAnswer } from '@unrut/reading/plugin-payload';
import { configFolder, dataFolder, joinOn, settingsPath } from '../../settings-files/places.ts';
import { pluginEdits } from '../../settings-files/plugin-file.ts';
import { defineHost, type HostInstall } from '../define-host.ts';
import { ampPlugin } from './payload.ts';
import { ampTranscript } from './transcript.ts';

const ampInstall: HostInstall = {
  folder: (at) => joinOn(at)(configFolder(at), 'amp'),
  edits(order) {
    const path = settingsPath(order, ampInstall.folder, '.amp', 'plugins', 'unrut.ts');
    return pluginEdits(
      { host: 'amp', path, exported: 'export default', maker: 'createAmpPlugin' },
      order,
    );
  },
  instructions: { user: 'AGENTS.md', project: 'AGENTS.md' },
  afterwards: 'In a session of Amp that is open, run `plugins: reload` in the command palette.',
};

/**
 * Amp, through `plugin.ts`. Its plugins can block a call and change a result, but not end a run.
 */
export const amp = defineHost({
  name: 'amp',
  label: 'Amp',
  programs: ['amp'],
  runs: (at) => [joinOn(at)(dataFolder(at), 'amp', 'threads')],
  transcripts: [ampTranscript],
  hooks: {
    can: ['note', 'hint', 'block'],
    callsHaveIds: true,
    shell: 'shell_command',
    signs: { form: ampPlugin.isOwn },
    payload: ampPlugin.payload,
    answer: pluginAnswer({ 'tool.call': ['block'], 'tool.result': ['note', 'hint'] }),
  },
  install: ampInstall,
});
