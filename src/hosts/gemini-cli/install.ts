import { ownCommand, projectCommand } from '../../settings-files/hook-command.ts';
import { hookSettings } from '../../settings-files/hook-settings.ts';
import type { Order } from '../../settings-files/order.ts';
import { joinOn, placeVariable, settingsPath } from '../../settings-files/places.ts';
import type { HostInstall } from '../define-host.ts';

const EVENTS = ['BeforeTool', 'AfterTool', 'BeforeAgent', 'AfterAgent', 'PreCompress', 'SessionEnd'];

export const geminiCliInstall: HostInstall = {
  folder: (at) => joinOn(at)(placeVariable(at, 'GEMINI_CLI_HOME') ?? at.home, '.gemini'),
  edits(order) {
    const { scope, at, call } = order;
    const shell = at.platform === 'win32' ? 'powershell' : 'posix';
    const command = scope === 'user' ? ownCommand('gemini-cli', call, shell) : projectCommand('gemini-cli', call);
    // Milliseconds.
    const handler = { type: 'command', name: 'unrut', command, timeout: 10_000 };
    return [hookSettings({ path: settingsOf(order), events: EVENTS, handler, matched: ['BeforeTool', 'AfterTool'] })];
  },
  instructions: { user: 'GEMINI.md', project: 'GEMINI.md' },
  obstacles(order, read) {
    const file = settingsOf(order);
    const isOff = /"hooksConfig"\s*:\s*\{[^}]*"enabled"\s*:\s*false/.test(read(file) ?? '');
    return isOff ? [`${file} has "enabled": false in "hooksConfig". Remove it.`] : [];
  },
};

const settingsOf = (order: Order): string => settingsPath(order, geminiCliInstall.folder, '.gemini', 'settings.json');
