import { configFolder, joinOn, placeVariable, settingsPath } from '../../settings-files/places.ts';
import { pluginEdits } from '../../settings-files/plugin-file.ts';
import type { HostInstall } from '../define-host.ts';

export const opencodeInstall: HostInstall = {
  folder: (at) => placeVariable(at, 'OPENCODE_CONFIG_DIR') ?? joinOn(at)(configFolder(at), 'opencode'),
  edits(order) {
    const path = settingsPath(order, opencodeInstall.folder, '.opencode', 'plugins', 'unrut.js');
    return pluginEdits({ host: 'opencode', path, exported: 'export const Unrut =', maker: 'createOpencodePlugin' }, order);
  },
  instructions: { user: 'AGENTS.md', project: 'AGENTS.md' },
};
