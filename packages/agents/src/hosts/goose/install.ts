import { isObject, parsed } from '@unrut/engine/json';
import type { Machine } from '@unrut/engine/machine';
import { commandFor } from '../../settings-files/hook-command.ts';
import { hookSettings } from '../../settings-files/hook-settings.ts';
import type { Edit, Order } from '../../settings-files/order.ts';
import {
  dataFolder,
  isAbsoluteOn,
  joinOn,
  placeVariable,
  settingsFolder,
} from '../../settings-files/places.ts';
import type { HostInstall } from '../define-host.ts';

const EVENTS = [
  'PreToolUse',
  'PostToolUse',
  'PostToolUseFailure',
  'UserPromptSubmit',
  'Stop',
  'SessionEnd',
];
const MANIFEST = {
  name: 'unrut',
  version: '1.0.0',
  description: 'Unrut (loop guard), written by `unrut install goose`',
};

/** A plugin with hooks, in a folder that goose shares with other programs. */
export const gooseInstall: HostInstall = {
  folder: (at) => joinOn(at)(at.home, '.agents', 'plugins', 'unrut'),
  edits(order) {
    // goose runs them in a POSIX shell everywhere. Matchers are regular expressions, and `*` is
    // invalid.
    const handler = { type: 'command', command: commandFor('goose', order, 'posix'), timeout: 10 };
    return [
      hookSettings({
        path: pathOf(order, 'hooks', 'hooks.json'),
        events: EVENTS,
        handler,
        matched: [],
      }),
      manifest(pathOf(order, 'plugin.json')),
    ];
  },
  instructions: { project: 'AGENTS.md' },
};

/** The folder of goose's sessions. */
export function gooseSessions(at: Machine): string {
  const join = joinOn(at);
  const root = placeVariable(at, 'GOOSE_PATH_ROOT');
  if (root !== undefined && isAbsoluteOn(at, root)) return join(root, 'data', 'sessions');
  if (at.platform !== 'win32') return join(dataFolder(at), 'goose', 'sessions');
  return join(
    settingsFolder(at, 'APPDATA', 'AppData', 'Roaming'),
    'Block',
    'goose',
    'data',
    'sessions',
  );
}

const pathOf = ({ scope, at }: Order, ...names: string[]): string =>
  joinOn(at)(scope === 'user' ? at.home : at.project, '.agents', 'plugins', 'unrut', ...names);

const manifest = (path: string): Edit => ({
  path,
  add: () => `${JSON.stringify(MANIFEST, null, 2)}\n`,
  remove(text) {
    const found = parsed(text);
    return isObject(found) && found.name === MANIFEST.name ? undefined : text;
  },
});
