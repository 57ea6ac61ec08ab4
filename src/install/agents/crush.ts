import { existsSync } from 'node:fs';
import type { InstallableAgent, Order } from '../agent.ts';
import { ownCommand, projectCommand } from '../hook-command.ts';
import { hookSettings } from '../hook-settings.ts';
import { launcherEdits } from '../launcher.ts';
import { agentFolders, joinOn } from './agent-folders.ts';

export const crush: InstallableAgent = {
  name: 'crush',
  label: 'Crush',
  programs: ['crush'],
  folders: (at) => [agentFolders(at).crush],
  edits(order) {
    const { scope, call } = order;
    // Crush brings its own POSIX shell to every platform. Versions that do not know an event refuse the whole file, so there is but this one.
    const command = scope === 'user' ? ownCommand('crush', call, 'posix') : projectCommand('crush', call);
    return [hookSettings({ path: settingsOf(order), handlers: { PreToolUse: { command, timeout: 10 } } }), ...launcherEdits(order, call)];
  },
  instructions: (scope, at) => (scope === 'user' ? undefined : joinOn(at)(at.project, 'AGENTS.md')),
  http: 'Crush has no HTTP hooks',
};

function settingsOf({ scope, at }: Order): string {
  const join = joinOn(at);
  if (scope === 'user') return join(agentFolders(at).crush, 'crush.json');
  const hidden = join(at.project, '.crush.json');
  return existsSync(hidden) ? hidden : join(at.project, 'crush.json');
}
