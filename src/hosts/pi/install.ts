import { settingsFolder, settingsPath } from '../../settings-files/places.ts';
import { pluginEdits } from '../../settings-files/plugin-file.ts';
import type { HostInstall } from '../define-host.ts';

export const piInstall: HostInstall = {
  folder: (at) => settingsFolder(at, 'PI_CODING_AGENT_DIR', '.pi', 'agent'),
  edits(order) {
    const path = settingsPath(order, piInstall.folder, '.pi', 'extensions', 'unrut.js');
    return pluginEdits({ host: 'pi', path, exported: 'export default', maker: 'createPiExtension' }, order);
  },
  instructions: { user: 'AGENTS.md', project: 'AGENTS.md' },
};
