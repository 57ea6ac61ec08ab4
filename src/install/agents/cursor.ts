import type { InstallableAgent } from '../agent.ts';
import { commandLine, guardedCommand, hookArguments, ownCommand, projectCommand } from '../hook-command.ts';
import { hookSettings } from '../hook-settings.ts';
import { launcherEdits } from '../launcher.ts';
import { agentFolders, joinOn } from './agent-folders.ts';

/** The hooks for every tool; those for single kinds of tools would show the same calls again. */
const EVENTS = [
  ...['preToolUse', 'postToolUse', 'postToolUseFailure', 'beforeSubmitPrompt', 'afterAgentResponse', 'afterAgentThought'],
  ...['preCompact', 'sessionEnd'],
];

export const cursor: InstallableAgent = {
  name: 'cursor',
  label: 'Cursor',
  programs: ['cursor', 'cursor-agent'],
  folders: (at) => [agentFolders(at).cursor],
  edits(order) {
    const { scope, at, call } = order;
    const join = joinOn(at);
    const isWindows = at.platform === 'win32';
    // On Windows the shell is not known; a name without quotes is a command in all of them.
    const own = isWindows
      ? `node ${commandLine([call.hook], 'cmd')} ${hookArguments('cursor', call).join(' ')}`
      : ownCommand('cursor', call, 'posix');
    const ofProject = isWindows ? projectCommand('cursor', call) : guardedCommand('cursor', call);
    const handler = { command: scope === 'user' ? own : ofProject, timeout: 10 };
    const folder = scope === 'user' ? agentFolders(at).cursor : join(at.project, '.cursor');
    const handlers = Object.fromEntries(EVENTS.map((event) => [event, handler]));
    return [hookSettings({ path: join(folder, 'hooks.json'), handlers, top: { version: 1 } }), ...launcherEdits(order, call)];
  },
  instructions: (scope, at) => (scope === 'user' ? undefined : joinOn(at)(at.project, 'AGENTS.md')),
  http: 'Cursor has no HTTP hooks',
};
