import { join } from 'node:path';
import { table } from '@unrut/ledger/report/table';
import { claimFolder } from './claim-folder.ts';
import { type RunTaskOptions, runTask } from './run-task.ts';
import { permissionsFor, type Switch } from './switches.ts';
import type { Task } from './task.ts';
import { countsText, type ScreenRunResult } from './trajectory.ts';

/**
 * Two runs of one task: with a part switched on (and allowed, if it needs permission), and with it
 * off.
 */
export interface AblationPair {
  on: ScreenRunResult;
  off: ScreenRunResult;
}

/** Runs a task in pairs to measure the effect of the parts that are switched off. */
export async function ablate(
  task: Task,
  switches: readonly Switch[],
  pairs: number,
  options: RunTaskOptions = {},
): Promise<AblationPair[]> {
  const found: AblationPair[] = [];
  if (options.folder) await claimFolder(options.folder);
  for (let i = 1; i <= pairs; i++) {
    const folderOf = (arm: string): { folder?: string } =>
      options.folder ? { folder: join(options.folder, `${i}-${arm}`) } : {};
    const allowed = { ...task, allow: [...task.allow, ...permissionsFor(switches)] };
    const on = await runTask(allowed, { ...options, ...folderOf('on') });
    const off = await runTask(allowed, {
      ...options,
      ...folderOf('off'),
      off: [...(options.off ?? []), ...switches],
    });
    found.push({ on, off });
  }
  return found;
}

const succeeded = ({ termination_reason }: ScreenRunResult): boolean =>
  termination_reason === 'done' || termination_reason === 'env_done';

/** The pairs as a table, with the number of successes in each arm. */
export function ablationTable(pairs: readonly AblationPair[], switches: readonly Switch[]): string {
  const row = (name: string, result: ScreenRunResult): string[] => [
    name,
    result.termination_reason,
    String(result.steps),
    String(result.nudges),
    countsText(result.loop_recoveries_by_reason) || '–',
  ];
  const rows = pairs.flatMap(({ on, off }, i) => [
    row(`${i + 1} on`, on),
    row(`${i + 1} off`, off),
  ]);
  const lines = table(['run', 'ended', 'steps', 'nudges', 'loop recoveries'], rows);
  const count = (arm: 'on' | 'off'): string =>
    `${pairs.filter((pair) => succeeded(pair[arm])).length} of ${pairs.length}`;
  return [
    ...lines,
    '',
    `Succeeded: on ${count('on')}, off ${count('off')} (turned off: ${switches.join(', ')}).`,
  ].join('\n');
}
