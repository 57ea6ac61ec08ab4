import type { JsonObject } from '../../json.ts';
import type { InstallableAgent, Order } from '../agent.ts';
import { guardedCommand, ownCommand, projectCommand } from '../hook-command.ts';
import { launcherEdits } from '../launcher.ts';
import { agentFolders, joinOn } from './agent-folders.ts';
import { claudeLikeSettings } from './claude-code.ts';

const EVENTS = [...['PreToolUse', 'PostToolUse', 'UserPromptSubmit', 'PreCompact', 'PostCompact', 'Stop', 'SubagentStop', 'SessionEnd']];

export const codex: InstallableAgent = {
  name: 'codex',
  label: 'Codex',
  programs: ['codex'],
  folders: (at) => [agentFolders(at).codex],
  edits: (order) => [claudeLikeSettings(settingsOf(order), EVENTS, handlerFor(order)), ...launcherEdits(order, order.call)],
  instructions: (scope, at) => joinOn(at)(scope === 'user' ? agentFolders(at).codex : at.project, 'AGENTS.md'),
  http: 'Codex has no HTTP hooks',
  afterwards: 'Codex runs no hook that you have not trusted, and says nothing of it: start codex, type /hooks, and trust those of Unrut.',
  obstacles(order, read) {
    const file = joinOn(order.at)(agentFolders(order.at).codex, 'config.toml');
    const config = read(file) ?? '';
    if (/^\s*hooks\s*=\s*false/m.test(config)) return [`${file} has hooks = false under [features]. Take it out.`];
    const isTrusted = config.split('\n').some((line) => line.trim().startsWith('[hooks.state') && line.includes(settingsOf(order)));
    return isTrusted ? [] : [`${file} does not say that its hooks are trusted. Start codex, type /hooks, and trust those of Unrut.`];
  },
};

const settingsOf = ({ scope, at }: Order): string => {
  const join = joinOn(at);
  return join(scope === 'user' ? agentFolders(at).codex : join(at.project, '.codex'), 'hooks.json');
};

function handlerFor({ scope, at, call }: Order): JsonObject {
  const isWindows = at.platform === 'win32';
  if (scope === 'user') return { type: 'command', command: ownCommand('codex', call, isWindows ? 'cmd' : 'posix'), timeout: 10 };
  return { type: 'command', command: guardedCommand('codex', call), commandWindows: projectCommand('codex', call), timeout: 10 };
}
