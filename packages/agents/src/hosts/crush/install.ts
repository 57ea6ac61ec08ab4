import { existsSync } from 'node:fs';
import { commandFor, projectCommand } from '../../settings-files/hook-command.ts';
import { hookSettings } from '../../settings-files/hook-settings.ts';
import type { Order } from '../../settings-files/order.ts';
import { configFolder, joinOn, placeVariable } from '../../settings-files/places.ts';
import type { HostInstall } from '../define-host.ts';

export const crushInstall: HostInstall = {
  folder: (at) => placeVariable(at, 'CRUSH_GLOBAL_CONFIG') ?? joinOn(at)(configFolder(at), 'crush'),
  edits(order) {
    // Crush includes a POSIX shell on every platform. Versions reject the whole file for an unknown
    // event, so only this one is used.
    const command = commandFor('crush', order, 'posix', projectCommand);
    return [
      hookSettings({
        path: settingsOf(order),
        events: ['PreToolUse'],
        handler: { command, timeout: 10 },
      }),
    ];
  },
  instructions: { project: 'AGENTS.md' },
};

function settingsOf({ scope, at }: Order): string {
  const join = joinOn(at);
  if (scope === 'user') return join(crushInstall.folder(at), 'crush.json');
  const hidden = join(at.project, '.crush.json');
  return existsSync(hidden) ? hidden : join(at.project, 'crush.json');
}
