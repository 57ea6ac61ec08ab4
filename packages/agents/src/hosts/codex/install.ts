import type { JsonObject } from '@unrut/engine/json';
import { commandFor, projectCommand } from '../../settings-files/hook-command.ts';
import type { Order } from '../../settings-files/order.ts';
import { joinOn, settingsFolder, settingsPath } from '../../settings-files/places.ts';
import { claudeLikeSettings } from '../claude-code/install.ts';
import type { HostInstall } from '../define-host.ts';

const EVENTS = [
  'PreToolUse',
  'PostToolUse',
  'UserPromptSubmit',
  'PreCompact',
  'PostCompact',
  'Stop',
  'SubagentStop',
  'SessionEnd',
];

export const codexInstall: HostInstall = {
  folder: (at) => settingsFolder(at, 'CODEX_HOME', '.codex'),
  edits: (order) => [claudeLikeSettings(settingsOf(order), EVENTS, handlerFor(order))],
  instructions: { user: 'AGENTS.md', project: 'AGENTS.md' },
  afterwards:
    'Codex silently ignores hooks that you have not trusted: start codex, type /hooks, and trust those of Unrut.',
  obstacles(order, read) {
    const file = joinOn(order.at)(codexInstall.folder(order.at), 'config.toml');
    const config = read(file) ?? '';
    if (/^\s*hooks\s*=\s*false/m.test(config))
      return [`${file} has hooks = false under [features]. Remove it.`];
    const isTrusted = config
      .split('\n')
      .some((line) => line.trim().startsWith('[hooks.state') && line.includes(settingsOf(order)));
    return isTrusted
      ? []
      : [
          `${file} does not mark its hooks as trusted. Start codex, type /hooks, and trust those of Unrut.`,
        ];
  },
};

const settingsOf = (order: Order): string =>
  settingsPath(order, codexInstall.folder, '.codex', 'hooks.json');

function handlerFor(order: Order): JsonObject {
  const inProject =
    order.scope === 'project' ? { commandWindows: projectCommand('codex', order.call) } : {};
  return { type: 'command', command: commandFor('codex', order, 'cmd'), ...inProject, timeout: 10 };
}
