import { existsSync } from 'node:fs';
import { UnrutError } from '@unrut/engine/errors';
import type { Machine } from '@unrut/engine/machine';
import { ownCommand } from '../../settings-files/hook-command.ts';
import { type MarkedBlock, withBlock, withoutBlock } from '../../settings-files/marked-block.ts';
import type { Edit } from '../../settings-files/order.ts';
import { callsOurHook } from '../../settings-files/our-handler.ts';
import { joinOn, settingsFolder } from '../../settings-files/places.ts';
import type { HostInstall } from '../define-host.ts';

const EVENTS = [
  'PreToolUse',
  'PostToolUse',
  'PostToolUseFailure',
  'UserPromptSubmit',
  'PreCompact',
  'Stop',
  'SubagentStop',
  'SessionEnd',
];

/** Kimi Code succeeded Kimi CLI, and has a different settings folder. */
export const kimiFolders = (at: Machine): [string, string] => [
  settingsFolder(at, 'KIMI_CODE_HOME', '.kimi-code'),
  settingsFolder(at, 'KIMI_SHARE_DIR', '.kimi'),
];

export const kimiInstall: HostInstall = {
  folder: (at) => kimiFolders(at).find((folder) => existsSync(folder)) ?? kimiFolders(at)[0],
  edits({ at, call }) {
    const command = ownCommand('kimi', call, at.platform === 'win32' ? 'cmd' : 'posix');
    return [tomlHooks(joinOn(at)(kimiInstall.folder(at), 'config.toml'), EVENTS, command)];
  },
  instructions: {},
  userOnly: true,
};

const MARKS: MarkedBlock = { first: '# unrut: begin', last: '# unrut: end' };
/** Kimi saves an empty list in its settings, to which TOML tables cannot be added. */
const EMPTY = /^hooks[ \t]*=[ \t]*\[[ \t]*\](?=[ \t]*(?:#.*)?\r?$)/m;
const SET_ASIDE = /^# unrut: was (hooks[ \t]*=[ \t]*\[[ \t]*\])/m;
const LIST = /^hooks[ \t]*=/m;
const TABLE = /^\[\[hooks\]\][^\n]*\n(?:(?!\[)[^\n]*(?:\n|$))*/gm;

/** A command for each event, as `[[hooks]]` tables at the end of a TOML file. */
function tomlHooks(path: string, events: readonly string[], command: string): Edit {
  // A JSON string is a TOML string too.
  const lines = events.flatMap((event) => [
    '[[hooks]]',
    `event = "${event}"`,
    `command = ${JSON.stringify(command)}`,
    'timeout = 10',
  ]);
  return {
    path,
    add(text = '') {
      const freed = (text.includes(MARKS.first) ? text : withoutTables(text)).replace(
        EMPTY,
        '# unrut: was $&',
      );
      const list = LIST.exec(freed);
      if (!list) return withBlock(freed, MARKS, lines);
      const line = freed.slice(0, list.index).split('\n').length;
      throw new UnrutError(
        'unreadable',
        `${path}:${line} lists hooks as "hooks = [...]". Write them as [[hooks]] tables and try again.`,
      );
    },
    remove(text) {
      const left = withoutTables(withoutBlock(text, MARKS));
      return left !== text && left.trim() === '' ? undefined : left.replace(SET_ASIDE, '$1');
    },
  };
}

/** Also removes our tables if Kimi has rewritten the file, which deletes all comments. */
const withoutTables = (text: string): string =>
  text.replace(TABLE, (table) => (callsOurHook(table) ? '' : table));
