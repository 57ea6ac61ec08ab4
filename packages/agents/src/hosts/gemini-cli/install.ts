import { commandFor, projectCommand } from '../../settings-files/hook-command.ts';
import { hookSettings } from '../../settings-files/hook-settings.ts';
import { type Order, obstacleIn } from '../../settings-files/order.ts';
import { joinOn, placeVariable, settingsPath } from '../../settings-files/places.ts';
import type { HostInstall } from '../define-host.ts';

const EVENTS = [
  'BeforeTool',
  'AfterTool',
  'BeforeAgent',
  'AfterAgent',
  'PreCompress',
  'SessionEnd',
];

export const geminiCliInstall: HostInstall = {
  folder: (at) => joinOn(at)(placeVariable(at, 'GEMINI_CLI_HOME') ?? at.home, '.gemini'),
  edits(order) {
    const command = commandFor('gemini-cli', order, 'powershell', projectCommand);
    // Milliseconds.
    const handler = { type: 'command', name: 'unrut', command, timeout: 10_000 };
    return [
      hookSettings({
        path: settingsOf(order),
        events: EVENTS,
        handler,
        matched: ['BeforeTool', 'AfterTool'],
      }),
    ];
  },
  instructions: { user: 'GEMINI.md', project: 'GEMINI.md' },
  obstacles: (order, read) =>
    obstacleIn(
      settingsOf(order),
      read,
      /"hooksConfig"\s*:\s*\{[^}]*"enabled"\s*:\s*false/,
      '"enabled": false in "hooksConfig"',
    ),
};

const settingsOf = (order: Order): string =>
  settingsPath(order, geminiCliInstall.folder, '.gemini', 'settings.json');
