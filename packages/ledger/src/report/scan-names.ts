import { shellWord } from '@unrut/engine/text/shell-word';
import type { ScannedLoop, Trajectory } from './scan-report.ts';

/**
 * A name of at most so many characters, cut in the middle: the beginning is often the same, and the
 * end tells.
 */
export function middleCut(name: string, most: number): string {
  if (name.length <= most) return name;
  const tail = Math.ceil((most - 1) * 0.6);
  return `${name.slice(0, Math.max(0, most - 1 - tail))}…${name.slice(name.length - tail)}`;
}

/** The command that says why a loop is one. */
export function explainCommand(
  { id, file }: Pick<Trajectory, 'id' | 'file'>,
  { firedAt }: Pick<ScannedLoop, 'firedAt'>,
): string {
  const name = file
    .split(/[\\/]/)
    .at(-1)
    ?.replace(/\.[^.]+$/, '');
  return `unrut explain ${shellWord(file)}${id === name ? '' : ` --run ${shellWord(id)}`} --step ${firedAt}`;
}
