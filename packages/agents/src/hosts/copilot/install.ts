import {
  guardedCommand,
  ownCommand,
  projectPowershell,
} from '../../settings-files/hook-command.ts';
import { hookSettings } from '../../settings-files/hook-settings.ts';
import { settingsFolder, settingsPath } from '../../settings-files/places.ts';
import type { HostInstall } from '../define-host.ts';

const EVENTS = [
  'preToolUse',
  'postToolUse',
  'postToolUseFailure',
  'userPromptSubmitted',
  'preCompact',
  'subagentStop',
  'sessionEnd',
];

export const copilotInstall: HostInstall = {
  folder: (at) => settingsFolder(at, 'COPILOT_HOME', '.copilot'),
  edits(order) {
    const { scope, call } = order;
    const [bash, powershell] =
      scope === 'user'
        ? [ownCommand('copilot', call, 'posix'), ownCommand('copilot', call, 'powershell')]
        : [guardedCommand('copilot', call), projectPowershell('copilot', call)];
    const handler = { type: 'command', bash, powershell, timeoutSec: 10 };
    const path = settingsPath(order, copilotInstall.folder, '.github', 'hooks', 'unrut.json');
    return [hookSettings({ path, events: EVENTS, handler, top: { version: 1 } })];
  },
  instructions: { user: 'copilot-instructions.md', project: 'AGENTS.md' },
  http: 'Copilot accepts only https for the hooks that matter',
};
