import { commandText } from './canonical-command.ts';
import type { CommandPart } from './combine.ts';

/** What a line runs, without anything that does not change it. */
export function canonicalOf(parts: readonly CommandPart[]): string {
  return textOf(parts, true) || textOf(parts, false);
}

function textOf(parts: readonly CommandPart[], dropping: boolean): string {
  let text = '';
  for (let i = 0; i < parts.length; i++) {
    const { command, run, deed: done } = parts[i]!;
    if (command.depth > 0) continue;
    if (dropping) {
      if (done.role === 'limiter' && command.joint === '|') continue;
      if (done.role === 'silent' && !feeds(parts, i)) continue;
    }
    const one = commandText(command, run);
    if (one === '') continue;
    const joint = command.joint === '|' || command.joint === '||' ? ` ${command.joint} ` : ' ; ';
    text = text === '' ? one : text + joint + one;
  }
  return text;
}

/** Whether its output goes into a program that is more than a limiter. */
function feeds(parts: readonly CommandPart[], index: number): boolean {
  for (let i = index + 1; i < parts.length; i++) {
    const { command, deed: done } = parts[i]!;
    if (command.depth > 0) continue;
    if (command.joint !== '|') return false;
    if (done.role !== 'limiter') return true;
  }
  return false;
}
