import {
  commandLine,
  guardedCommand,
  hookArguments,
  ownCommand,
  projectCommand,
} from '../../settings-files/hook-command.ts';
import { hookSettings } from '../../settings-files/hook-settings.ts';
import type { Order } from '../../settings-files/order.ts';
import { joinOn, settingsPath } from '../../settings-files/places.ts';
import type { HostInstall } from '../define-host.ts';

/** The hooks for every tool; those for single kinds of tools would repeat the same calls. */
const EVENTS = [
  ...[
    'preToolUse',
    'postToolUse',
    'postToolUseFailure',
    'beforeSubmitPrompt',
    'afterAgentResponse',
    'afterAgentThought',
  ],
  ...['preCompact', 'sessionEnd'],
];

export const cursorInstall: HostInstall = {
  folder: (at) => joinOn(at)(at.home, '.cursor'),
  edits(order) {
    const path = settingsPath(order, cursorInstall.folder, '.cursor', 'hooks.json');
    return [
      hookSettings({
        path,
        events: EVENTS,
        handler: { command: commandFor(order), timeout: 10 },
        top: { version: 1 },
      }),
    ];
  },
  instructions: { project: 'AGENTS.md' },
};

/** On Windows the shell is unknown; an unquoted name works in all of them. */
function commandFor({ scope, at, call }: Order): string {
  if (at.platform !== 'win32')
    return scope === 'user' ? ownCommand('cursor', call, 'posix') : guardedCommand('cursor', call);
  if (scope === 'project') return projectCommand('cursor', call);
  return `node ${commandLine([call.hook], 'cmd')} ${hookArguments('cursor', call).join(' ')}`;
}
