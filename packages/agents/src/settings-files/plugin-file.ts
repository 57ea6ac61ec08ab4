import { hookArguments } from './hook-command.ts';
import { generatedFile } from './launcher.ts';
import type { Edit, Order } from './order.ts';
import { ownFile } from './own-file.ts';

/** A plugin that a host loads into its own process. */
export interface PluginFile {
  /** The host's name. */
  host: string;
  /** The path where the host looks for it; in a project, two folders below the root. */
  path: string;
  /** The beginning of its text: the exports, up to the function's parameter. */
  exported: string;
  /** The function of our package that creates it, from the host's object and the hook's command. */
  maker: string;
}

/**
 * A file that loads our package's plugin; in a project without the package, also a copy of the
 * plugin.
 */
export const pluginEdits = (plugin: PluginFile, order: Order): Edit[] => [
  ownFile(plugin.path, pluginText(plugin, order)),
  ...(order.scope === 'project' && order.call.files
    ? [generatedFile(order.at, 'agent-plugins.mjs', order.call.files.plugin)]
    : []),
];

/** If anything fails, the host gets a plugin that does nothing. */
function pluginText({ host, exported, maker }: PluginFile, { scope, call }: Order): string {
  const rest = hookArguments(host, call);
  const [comment, find] =
    scope === 'user'
      ? [
          `Written by \`unrut install ${host}\`; \`unrut uninstall ${host}\` removes it.`,
          `const plugins = ${JSON.stringify(call.plugin)};
    const command = ${JSON.stringify([call.node, call.hook, ...rest])};`,
        ]
      : [
          `Written by \`unrut install ${host} --project\`; \`unrut uninstall ${host} --project\` removes it.`,
          `const [{ createRequire }, { fileURLToPath }] = await Promise.all([import('node:module'), import('node:url')]);
    const plugins = ${
      call.files
        ? `new URL('../../.unrut/agent-plugins.mjs', import.meta.url).href`
        : `createRequire(import.meta.url).resolve('unrut/package.json').replace(/package\\.json$/, 'dist/agent-plugins.js')`
    };
    const command = ['node', fileURLToPath(new URL('../../.unrut/hook.cjs', import.meta.url)), ...${JSON.stringify(rest)}];`,
        ];
  return `// ${comment}
${exported} async (host) => {
  try {
    ${find}
    const { ${maker} } = await import(plugins);
    return ${maker}(host, command);
  } catch {
    return {};
  }
};
`;
}
