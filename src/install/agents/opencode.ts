import type { InstallableAgent, Order } from '../agent.ts';
import { hookArguments } from '../hook-command.ts';
import { launcherEdits } from '../launcher.ts';
import { ownFile } from '../own-file.ts';
import { agentFolders, joinOn } from './agent-folders.ts';

export const opencode: InstallableAgent = {
  name: 'opencode',
  label: 'OpenCode',
  programs: ['opencode'],
  folders: (at) => [agentFolders(at).opencode],
  edits(order) {
    const { scope, at, call } = order;
    const join = joinOn(at);
    const folder = scope === 'user' ? agentFolders(at).opencode : join(at.project, '.opencode');
    return [ownFile(join(folder, 'plugins', 'unrut.js'), pluginFile(order)), ...launcherEdits(order, call)];
  },
  instructions: (scope, at) => joinOn(at)(scope === 'user' ? agentFolders(at).opencode : at.project, 'AGENTS.md'),
  http: 'OpenCode has no HTTP hooks',
};

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
          'Written by `unrut install opencode --project`; without the package `unrut` it does nothing.',
          `const [{ createRequire }, { fileURLToPath }] = await Promise.all([import('node:module'), import('node:url')]);
    const plugin = createRequire(import.meta.url).resolve('unrut/package.json').replace(/package\\.json$/, 'dist/opencode-plugin.js');
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
