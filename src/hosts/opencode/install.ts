import { hookArguments } from '../../settings-files/hook-command.ts';
import { generatedFile } from '../../settings-files/launcher.ts';
import type { Edit, Order } from '../../settings-files/order.ts';
import { ownFile } from '../../settings-files/own-file.ts';
import { configFolder, joinOn, placeVariable, settingsPath } from '../../settings-files/places.ts';
import type { HostInstall } from '../define-host.ts';

export const opencodeInstall: HostInstall = {
  folder: (at) => placeVariable(at, 'OPENCODE_CONFIG_DIR') ?? joinOn(at)(configFolder(at), 'opencode'),
  edits: (order) => [
    ownFile(settingsPath(order, opencodeInstall.folder, '.opencode', 'plugins', 'unrut.js'), pluginFile(order)),
    ...ownPlugin(order),
  ],
  instructions: { user: 'AGENTS.md', project: 'AGENTS.md' },
};

/** A project without the package has the plugin beside its launcher. */
const ownPlugin = ({ scope, at, call }: Order): Edit[] =>
  scope === 'project' && call.files ? [generatedFile(at, 'opencode-plugin.mjs', call.files.plugin)] : [];

/** Loads the plugin of the package. Whatever goes wrong, OpenCode gets a plugin that does nothing. */
function pluginFile({ scope, call }: Order): string {
  const rest = hookArguments('opencode', call);
  const [comment, find] =
    scope === 'user'
      ? [
          'Written by `unrut install opencode`; `unrut uninstall opencode` removes it.',
          `const plugin = ${JSON.stringify(call.plugin)};
    const command = ${JSON.stringify([call.node, call.hook, ...rest])};`,
        ]
      : [
          'Written by `unrut install opencode --project`; `unrut uninstall opencode --project` removes it.',
          `const [{ createRequire }, { fileURLToPath }] = await Promise.all([import('node:module'), import('node:url')]);
    const plugin = ${
      call.files
        ? `new URL('../../.unrut/opencode-plugin.mjs', import.meta.url).href`
        : `createRequire(import.meta.url).resolve('unrut/package.json').replace(/package\\.json$/, 'dist/opencode-plugin.js')`
    };
    const command = ['node', fileURLToPath(new URL('../../.unrut/hook.cjs', import.meta.url)), ...${JSON.stringify(rest)}];`,
        ];
  return `// ${comment}
export const Unrut = async (host) => {
  try {
    ${find}
    const { createPlugin } = await import(plugin);
    return createPlugin(host, command);
  } catch {
    return {};
  }
};
`;
}
