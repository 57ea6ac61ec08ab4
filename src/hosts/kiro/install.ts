import { UnrutError } from '../../errors.ts';
import { guardedCommand, ownCommand } from '../../settings-files/hook-command.ts';
import type { Edit, Order } from '../../settings-files/order.ts';
import { callsOurHook } from '../../settings-files/our-handler.ts';
import { joinOn, settingsPath } from '../../settings-files/places.ts';
import type { HostInstall } from '../define-host.ts';

const TRIGGERS = ['PreToolUse', 'PostToolUse', 'UserPromptSubmit', 'Stop'];

export const kiroInstall: HostInstall = {
  folder: (at) => joinOn(at)(at.home, '.kiro'),
  edits: (order) => [hooksFile(order)],
  instructions: { project: 'AGENTS.md' },
  afterwards: 'Kiro reads such files since version 3 of its command line, and 1.0 of its editor.',
};

/** A file of our own, as each may hold hooks of one name. */
function hooksFile(order: Order): Edit {
  const { scope, at, call } = order;
  const path = settingsPath(order, kiroInstall.folder, '.kiro', 'hooks', 'unrut.json');
  const shell = at.platform === 'win32' ? 'powershell' : 'posix';
  const command = scope === 'user' ? ownCommand('kiro', call, shell) : guardedCommand('kiro', call);
  const hooks = TRIGGERS.map((trigger) => ({
    name: `unrut-${trigger}`,
    trigger,
    action: { type: 'command', command },
    timeout: 10,
    enabled: true,
  }));
  return {
    path,
    add(text) {
      if (text !== undefined && !isOurs(text))
        throw new UnrutError('occupied', `${path} was not written by Unrut, so it was left alone. Move it, or call Unrut from it.`);
      return `${JSON.stringify({ version: 'v1', hooks }, null, 2)}\n`;
    },
    remove: (text) => (isOurs(text) ? undefined : text),
  };
}

/** In JSON, quotes are escaped. */
const isOurs = (text: string): boolean => callsOurHook(text.replaceAll('\\"', '"'));
