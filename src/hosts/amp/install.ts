import { configFolder, joinOn, settingsPath } from '../../settings-files/places.ts';
import { pluginEdits } from '../../settings-files/plugin-file.ts';
import type { HostInstall } from '../define-host.ts';

export const ampInstall: HostInstall = {
  folder: (at) => joinOn(at)(configFolder(at), 'amp'),
  edits(order) {
    const path = settingsPath(order, ampInstall.folder, '.amp', 'plugins', 'unrut.ts');
    return pluginEdits({ host: 'amp', path, exported: 'export default', maker: 'createAmpPlugin' }, order);
  },
  instructions: { user: 'AGENTS.md', project: 'AGENTS.md' },
  afterwards: 'In a session of Amp that is open, run `plugins: reload` in the command palette.',
};
