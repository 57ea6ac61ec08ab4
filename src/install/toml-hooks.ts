import { UnrutError } from '../errors.ts';
import type { Edit } from './agent.ts';
import { type MarkedBlock, withBlock, withoutBlock } from './marked-block.ts';
import { callsOurHook } from './our-handler.ts';

const MARKS: MarkedBlock = { first: '# unrut: begin', last: '# unrut: end' };
/** Kimi writes an empty list when it saves its settings, and to a list no tables can be added. */
const EMPTY = /^hooks[ \t]*=[ \t]*\[[ \t]*\](?=[ \t]*(?:#.*)?\r?$)/m;
const SET_ASIDE = /^# unrut: was (hooks[ \t]*=[ \t]*\[[ \t]*\])/m;
const LIST = /^hooks[ \t]*=/m;
const TABLE = /^\[\[hooks\]\][^\n]*\n(?:(?!\[)[^\n]*(?:\n|$))*/gm;

/** A command at each event, as `[[hooks]]` tables at the end of a TOML file. */
export function tomlHooks(path: string, events: readonly string[], command: string): Edit {
  // A JSON string is a TOML string too.
  const lines = events.flatMap((event) => ['[[hooks]]', `event = "${event}"`, `command = ${JSON.stringify(command)}`, 'timeout = 10']);
  return {
    path,
    add(text = '') {
      const freed = (text.includes(MARKS.first) ? text : withoutTables(text)).replace(EMPTY, '# unrut: was $&');
      const list = LIST.exec(freed);
      if (!list) return withBlock(freed, MARKS, lines);
      const line = freed.slice(0, list.index).split('\n').length;
      throw new UnrutError('unreadable', `${path}:${line} lists hooks as "hooks = [...]". Write them as [[hooks]] tables and try again.`);
    },
    remove(text) {
      const left = withoutTables(withoutBlock(text, MARKS));
      return left !== text && left.trim() === '' ? undefined : left.replace(SET_ASIDE, '$1');
    },
  };
}

/** Our tables go also where Kimi has saved its settings since, and with them lost all comments. */
const withoutTables = (text: string): string => text.replace(TABLE, (table) => (callsOurHook(table) ? '' : table));
