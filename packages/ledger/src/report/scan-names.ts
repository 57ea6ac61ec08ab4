import { cut } from '@unrut/engine/text/printable';
import { shellWord } from '@unrut/engine/text/shell-word';
import type { ScannedLoop, Trajectory } from './scan-report.ts';
import { day } from './time-text.ts';

/** Cuts a name in the middle: names often share their beginning and differ at the end. */
export function middleCut(name: string, most: number): string {
  if (name.length <= most) return name;
  const tail = Math.ceil((most - 1) * 0.6);
  return `${name.slice(0, Math.max(0, most - 1 - tail))}…${name.slice(name.length - tail)}`;
}

/** A run's title: the first prompt, the folder and the day; otherwise its id. */
export function runTitle({
  id,
  file,
  prompt,
  repository,
  from,
}: Pick<Trajectory, 'id' | 'file' | 'prompt' | 'repository' | 'from'>): string {
  if (prompt === undefined) return middleCut(id || file || 'a run', 100);
  const where = [...(repository ? [repository] : []), ...(from === undefined ? [] : [day(from)])];
  return `"${cut(prompt, 90)}"${where.length > 0 ? ` (${where.join(', ')})` : ''}`;
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
