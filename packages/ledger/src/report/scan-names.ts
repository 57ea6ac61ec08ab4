import { shellWord } from '@unrut/engine/text/shell-word';
import type { ScannedLoop, Trajectory } from './scan-report.ts';

/** Cuts a name in the middle: names often share their beginning and differ at the end. */
export function middleCut(name: string, most: number): string {
  if (name.length <= most) return name;
  const tail = Math.ceil((most - 1) * 0.6);
  return `${name.slice(0, Math.max(0, most - 1 - tail))}…${name.slice(name.length - tail)}`;
}

/** The command that explains a loop. */
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
