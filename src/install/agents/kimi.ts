import { existsSync } from 'node:fs';
import type { InstallableAgent, Order } from '../agent.ts';
import { ownCommand } from '../hook-command.ts';
import { tomlHooks } from '../toml-hooks.ts';
import { agentFolders, joinOn } from './agent-folders.ts';

const EVENTS = [
  ...['PreToolUse', 'PostToolUse', 'PostToolUseFailure', 'UserPromptSubmit', 'PreCompact', 'Stop', 'SubagentStop', 'SessionEnd'],
];

export const kimi: InstallableAgent = {
  name: 'kimi',
  label: 'Kimi',
  programs: ['kimi'],
  folders: (at) => agentFolders(at).kimi,
  edits(order) {
    const command = ownCommand('kimi', order.call, order.at.platform === 'win32' ? 'cmd' : 'posix');
    return [tomlHooks(settingsOf(order), EVENTS, command)];
  },
  instructions: () => undefined,
  userOnly: true,
  http: 'Kimi has no HTTP hooks',
};

function settingsOf({ at }: Order): string {
  const folders = agentFolders(at).kimi;
  return joinOn(at)(folders.find((folder) => existsSync(folder)) ?? folders[0]!, 'config.toml');
}
