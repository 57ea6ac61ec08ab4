import { commandFor } from '../../settings-files/hook-command.ts';
import type { Edit, Order } from '../../settings-files/order.ts';
import { callsOurHook } from '../../settings-files/our-handler.ts';
import { ownFile } from '../../settings-files/own-file.ts';
import { joinOn, settingsPath } from '../../settings-files/places.ts';
import type { HostInstall } from '../define-host.ts';

const TRIGGERS = ['PreToolUse', 'PostToolUse', 'UserPromptSubmit', 'Stop'];

export const kiroInstall: HostInstall = {
  folder: (at) => joinOn(at)(at.home, '.kiro'),
  edits: (order) => [hooksFile(order)],
  instructions: { project: 'AGENTS.md' },
  afterwards: 'Kiro reads such files since version 3 of its command line, and 1.0 of its editor.',
};

/** Our own file, since each hook name occurs once per file. */
function hooksFile(order: Order): Edit {
  const path = settingsPath(order, kiroInstall.folder, '.kiro', 'hooks', 'unrut.json');
  const command = commandFor('kiro', order, 'powershell');
  const hooks = TRIGGERS.map((trigger) => ({
    name: `unrut-${trigger}`,
    trigger,
    action: { type: 'command', command },
    timeout: 10,
    enabled: true,
  }));
  return ownFile(path, `${JSON.stringify({ version: 'v1', hooks }, null, 2)}\n`, { isOurs });
}

/** In JSON, quotes are escaped. */
const isOurs = (text: string): boolean => callsOurHook(text.replaceAll('\\"', '"'));
