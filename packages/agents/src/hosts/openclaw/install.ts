import { isObject, objectOf } from '@unrut/engine/json';
import type { Machine } from '@unrut/engine/machine';
import { readJson } from '../../settings-files/edit-json.ts';
import { hookArguments } from '../../settings-files/hook-command.ts';
import { jsonEntry } from '../../settings-files/json-entry.ts';
import type { Order } from '../../settings-files/order.ts';
import { ownFile } from '../../settings-files/own-file.ts';
import { joinOn, placeVariable, settingsFolder } from '../../settings-files/places.ts';
import type { HostInstall } from '../define-host.ts';

const WRITTEN = 'Written by `unrut install openclaw`; `unrut uninstall openclaw` removes it.';
const RUNTIMES = ['openclaw', 'codex'];
const HOOKS = [
  'before_tool_call',
  'after_tool_call',
  'before_agent_run',
  'llm_output',
  'after_compaction',
  'session_end',
];
const json = (value: object): string => `${JSON.stringify(value, null, 2)}\n`;

const PACKAGE = json({
  name: 'unrut-openclaw',
  description: WRITTEN,
  version: '1.0.0',
  private: true,
  type: 'module',
  openclaw: { extensions: ['./index.js'] },
});
const MANIFEST = json({
  id: 'unrut',
  name: 'Unrut',
  description: `Loop guard. ${WRITTEN}`,
  activation: { onStartup: true },
  contracts: { agentToolResultMiddleware: RUNTIMES },
  configSchema: { type: 'object', additionalProperties: false },
});
/** Notes require tool results; user messages show that somebody has looked. */
const ENTRY = { enabled: true, hooks: { allowConversationAccess: true } };

/** OpenClaw requires handlers synchronously, so they await the plugin themselves. */
const entryText = ({ call }: Order): string => `// ${WRITTEN}
const command = ${JSON.stringify([call.node, call.hook, ...hookArguments('openclaw', call)])};
const plugins = ${JSON.stringify(call.plugin)};
export default {
  id: 'unrut',
  name: 'Unrut',
  description: 'Loop guard',
  register(api) {
    const plugin = import(plugins).then(
      ({ createOpenclawPlugin }) => createOpenclawPlugin(api, command),
      () => ({}),
    );
    const handle = (hook) => async (event, context) => {
      try {
        return await (await plugin)[hook]?.(event, context);
      } catch {
        return undefined;
      }
    };
    try {
      for (const hook of ${JSON.stringify(HOOKS)}) api.on(hook, handle(hook));
      api.registerAgentToolResultMiddleware?.(handle('tool_result_middleware'), {
        runtimes: ${JSON.stringify(RUNTIMES)},
      });
    } catch {
      // OpenClaw continues as if nobody had been asked.
    }
  },
};
`;

const openclawFolder = (at: Machine): string =>
  settingsFolder(at, 'OPENCLAW_STATE_DIR', '.openclaw');
const configFile = (at: Machine): string =>
  placeVariable(at, 'OPENCLAW_CONFIG_PATH') ?? joinOn(at)(openclawFolder(at), 'openclaw.json');

export const openclawInstall: HostInstall = {
  folder: openclawFolder,
  edits(order) {
    const { at } = order;
    const file = (name: string): string =>
      joinOn(at)(openclawFolder(at), 'extensions', 'unrut', name);
    return [
      ownFile(file('index.js'), entryText(order)),
      ownFile(file('package.json'), PACKAGE),
      ownFile(file('openclaw.plugin.json'), MANIFEST),
      jsonEntry(configFile(at), ['plugins', 'entries', 'unrut'], ENTRY),
    ];
  },
  instructions: {},
  userOnly: true,
  afterwards: 'Restart the gateway: `openclaw gateway restart`.',
  obstacles({ at }, read) {
    const file = configFile(at);
    const plugins = pluginsIn(read(file) ?? '', file);
    const lists = (name: 'allow' | 'deny'): boolean | undefined => {
      const list = plugins[name];
      return Array.isArray(list) ? list.includes('unrut') : undefined;
    };
    return [
      ...(plugins.enabled === false ? [`${file} has plugins.enabled: false. Remove it.`] : []),
      ...(lists('allow') === false
        ? [`${file}: plugins.allow does not list "unrut". Add it.`]
        : []),
      ...(lists('deny') ? [`${file}: plugins.deny lists "unrut". Remove it.`] : []),
    ];
  },
};

function pluginsIn(text: string, file: string): Record<string, unknown> {
  try {
    const settings = readJson(text, file);
    return isObject(settings) ? objectOf(settings.plugins) : {};
  } catch {
    return {};
  }
}
