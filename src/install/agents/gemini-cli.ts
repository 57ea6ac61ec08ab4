import type { InstallableAgent, Order } from '../agent.ts';
import { ownCommand, projectCommand } from '../hook-command.ts';
import { hookSettings } from '../hook-settings.ts';
import { launcherEdits } from '../launcher.ts';
import { agentFolders, joinOn } from './agent-folders.ts';

const EVENTS = ['BeforeTool', 'AfterTool', 'BeforeAgent', 'AfterAgent', 'PreCompress', 'SessionEnd'];

export const geminiCli: InstallableAgent = {
  name: 'gemini-cli',
  label: 'Gemini CLI',
  programs: ['gemini'],
  folders: (at) => [agentFolders(at).gemini],
  edits(order) {
    const { scope, at, call } = order;
    const shell = at.platform === 'win32' ? 'powershell' : 'posix';
    const command = scope === 'user' ? ownCommand('gemini-cli', call, shell) : projectCommand('gemini-cli', call);
    // Milliseconds.
    const handler = { type: 'command', name: 'unrut', command, timeout: 10_000 };
    const handlers = Object.fromEntries(EVENTS.map((event) => [event, handler]));
    return [hookSettings({ path: settingsOf(order), handlers, matched: ['BeforeTool', 'AfterTool'] }), ...launcherEdits(order, call)];
  },
  instructions: (scope, at) => joinOn(at)(scope === 'user' ? agentFolders(at).gemini : at.project, 'GEMINI.md'),
  http: 'Gemini CLI has no HTTP hooks',
  obstacles(order, read) {
    const file = settingsOf(order);
    const isOff = /"hooksConfig"\s*:\s*\{[^}]*"enabled"\s*:\s*false/.test(read(file) ?? '');
    return isOff ? [`${file} has "enabled": false in "hooksConfig". Take it out.`] : [];
  },
};

const settingsOf = ({ scope, at }: Order): string => {
  const join = joinOn(at);
  return join(scope === 'user' ? agentFolders(at).gemini : join(at.project, '.gemini'), 'settings.json');
};
