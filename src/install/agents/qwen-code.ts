import type { JsonObject } from '../../json.ts';
import type { InstallableAgent, Order } from '../agent.ts';
import { ownCommand, projectCommand } from '../hook-command.ts';
import { httpHandler } from '../http-handler.ts';
import { launcherEdits } from '../launcher.ts';
import { agentFolders, joinOn } from './agent-folders.ts';
import { claudeLikeSettings } from './claude-code.ts';

const EVENTS = [
  ...['PreToolUse', 'PostToolUse', 'PostToolUseFailure', 'PostToolBatch', 'UserPromptSubmit', 'PreCompact', 'PostCompact'],
  ...['Stop', 'SubagentStop', 'SessionEnd'],
];

/** Milliseconds; versions that take it for seconds wait no longer, as the hook itself gives up after two. */
const TIMEOUT = 10_000;

export const qwenCode: InstallableAgent = {
  name: 'qwen-code',
  label: 'Qwen Code',
  programs: ['qwen'],
  folders: (at) => [agentFolders(at).qwen],
  edits: (order) => [claudeLikeSettings(settingsOf(order), EVENTS, handlerFor(order)), ...launcherEdits(order, order.call)],
  instructions: (scope, at) => joinOn(at)(scope === 'user' ? agentFolders(at).qwen : at.project, 'QWEN.md'),
  http: true,
  obstacles(order, read) {
    const file = settingsOf(order);
    return /"disableAllHooks"\s*:\s*true/.test(read(file) ?? '') ? [`${file} has "disableAllHooks": true. Take it out.`] : [];
  },
};

const settingsOf = ({ scope, at }: Order): string => {
  const join = joinOn(at);
  return join(scope === 'user' ? agentFolders(at).qwen : join(at.project, '.qwen'), 'settings.json');
};

function handlerFor({ scope, at, call }: Order): JsonObject {
  if (call.server !== undefined) return httpHandler('qwen-code', call);
  const shell = at.platform === 'win32' ? 'powershell' : 'posix';
  const command = scope === 'user' ? ownCommand('qwen-code', call, shell) : projectCommand('qwen-code', call);
  return { type: 'command', name: 'unrut', command, timeout: TIMEOUT };
}
