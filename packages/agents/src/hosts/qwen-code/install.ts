import type { JsonObject } from '@unrut/engine/json';
import { commandFor, projectCommand } from '../../settings-files/hook-command.ts';
import { httpHandler } from '../../settings-files/http-handler.ts';
import type { Order } from '../../settings-files/order.ts';
import { settingsFolder, settingsPath } from '../../settings-files/places.ts';
import { claudeLikeSettings, whyDisabled } from '../claude-code/install.ts';
import type { HostInstall } from '../define-host.ts';

const EVENTS = [
  ...[
    'PreToolUse',
    'PostToolUse',
    'PostToolUseFailure',
    'PostToolBatch',
    'UserPromptSubmit',
    'PreCompact',
    'PostCompact',
  ],
  ...['Stop', 'SubagentStop', 'SessionEnd'],
];

/**
 * Milliseconds. Versions that read it as seconds do not wait longer, since the hook has its own
 * timeout of two seconds.
 */
const TIMEOUT = 10_000;

export const qwenCodeInstall: HostInstall = {
  folder: (at) => settingsFolder(at, 'QWEN_HOME', '.qwen'),
  edits: (order) => [claudeLikeSettings(settingsOf(order), EVENTS, handlerFor(order))],
  instructions: { user: 'QWEN.md', project: 'QWEN.md' },
  http: true,
  obstacles: (order, read) => whyDisabled(settingsOf(order), read),
};

const settingsOf = (order: Order): string =>
  settingsPath(order, qwenCodeInstall.folder, '.qwen', 'settings.json');

function handlerFor(order: Order): JsonObject {
  if (order.call.server !== undefined) return httpHandler('qwen-code', order.call);
  return {
    type: 'command',
    name: 'unrut',
    command: commandFor('qwen-code', order, 'powershell', projectCommand),
    timeout: TIMEOUT,
  };
}
