import { existsSync } from 'node:fs';
import { commandFor, guardedCommand } from '../../settings-files/hook-command.ts';
import { hookSettings } from '../../settings-files/hook-settings.ts';
import { type Order, obstacleIn } from '../../settings-files/order.ts';
import { joinOn, placeVariable, settingsPath } from '../../settings-files/places.ts';
import { MATCHED } from '../claude-code/install.ts';
import type { HostInstall } from '../define-host.ts';

const EVENTS = [
  'PreToolUse',
  'PostToolUse',
  'UserPromptSubmit',
  'PreCompact',
  'SessionStart',
  'Stop',
  'SubagentStop',
  'SessionEnd',
];

export const factoryInstall: HostInstall = {
  folder: (at) => joinOn(at)(placeVariable(at, 'FACTORY_HOME_OVERRIDE') ?? at.home, '.factory'),
  edits(order) {
    const inProject: typeof guardedCommand = (agent, call) =>
      guardedCommand(agent, call, '$FACTORY_PROJECT_DIR');
    const command = commandFor('factory', order, 'powershell', inProject);
    const handler = { type: 'command', command, timeout: 10 };
    // An event in a separate hooks file overrides the same event in the settings, so such a file is
    // used if it exists, but never created.
    const own = pathOf(order, 'hooks.json');
    const isBare = existsSync(own);
    return [
      hookSettings({
        path: isBare ? own : pathOf(order, 'settings.json'),
        events: EVENTS,
        handler,
        matched: MATCHED,
        isBare,
      }),
    ];
  },
  instructions: { user: 'AGENTS.md', project: 'AGENTS.md' },
  obstacles: (order, read) =>
    ['hooks.json', 'settings.json'].flatMap((name) =>
      obstacleIn(pathOf(order, name), read, /"hooksDisabled"\s*:\s*true/, '"hooksDisabled": true'),
    ),
};

const pathOf = (order: Order, name: string): string =>
  settingsPath(order, factoryInstall.folder, '.factory', name);
