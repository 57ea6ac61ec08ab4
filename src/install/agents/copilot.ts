import type { JsonObject } from '../../json.ts';
import type { InstallableAgent, Order } from '../agent.ts';
import { guardedCommand, ownCommand, projectCommand } from '../hook-command.ts';
import { hookSettings } from '../hook-settings.ts';
import { launcherEdits } from '../launcher.ts';
import { agentFolders, joinOn } from './agent-folders.ts';

const EVENTS = ['preToolUse', 'postToolUse', 'postToolUseFailure', 'userPromptSubmitted', 'preCompact', 'subagentStop', 'sessionEnd'];

export const copilot: InstallableAgent = {
  name: 'copilot',
  label: 'GitHub Copilot CLI',
  programs: ['copilot'],
  folders: (at) => [agentFolders(at).copilot],
  edits(order) {
    const { scope, at, call } = order;
    const join = joinOn(at);
    const folder = scope === 'user' ? agentFolders(at).copilot : join(at.project, '.github');
    const handlers = Object.fromEntries(EVENTS.map((event) => [event, handlerFor(order)]));
    return [hookSettings({ path: join(folder, 'hooks', 'unrut.json'), handlers, top: { version: 1 } }), ...launcherEdits(order, call)];
  },
  instructions: (scope, at) =>
    scope === 'user' ? joinOn(at)(agentFolders(at).copilot, 'copilot-instructions.md') : joinOn(at)(at.project, 'AGENTS.md'),
  http: 'Copilot takes only https for the hooks that matter',
};

function handlerFor({ scope, call }: Order): JsonObject {
  const [bash, powershell] =
    scope === 'user'
      ? [ownCommand('copilot', call, 'posix'), ownCommand('copilot', call, 'powershell')]
      : [guardedCommand('copilot', call), projectCommand('copilot', call)];
  return { type: 'command', bash, powershell, timeoutSec: 10 };
}
