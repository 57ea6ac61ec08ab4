import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';

/** An environment variable that a process and all its descendants carry. */
export interface Mark {
  name: string;
  value: string;
}

const LOOK_EVERY = 50;
const MAX_PAUSE = 400;

/**
 * Ends a process group and all processes with the mark: asks, waits up to `grace` milliseconds,
 * then kills. Marks are visible only on Linux; elsewhere only the group is ended.
 */
export async function endProcesses(
  group: number | undefined,
  mark: Mark,
  grace: number,
): Promise<void> {
  if (process.platform === 'win32') {
    if (group !== undefined)
      spawnSync('taskkill', ['/pid', String(group), '/T', '/F'], { stdio: 'ignore' });
    return;
  }
  const all = (): number[] => [...(group === undefined ? [] : [-group]), ...marked(mark)];
  const send = (signal: NodeJS.Signals | 0): boolean =>
    all().filter((pid) => kill(pid, signal)).length > 0;
  if (!send('SIGTERM')) return;
  // Listing many processes takes time.
  const end = performance.now() + grace;
  for (let pause = LOOK_EVERY; performance.now() < end; pause = Math.min(2 * pause, MAX_PAUSE)) {
    await wait(Math.min(pause, Math.max(0, end - performance.now())));
    if (!send(0)) return;
  }
  send('SIGKILL');
}

/** Kills immediately. */
export function killGroup(group: number | undefined): void {
  if (group !== undefined) kill(process.platform === 'win32' ? group : -group, 'SIGKILL');
}

function kill(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}

function marked({ name, value }: Mark): number[] {
  if (process.platform !== 'linux') return [];
  const sought = `\0${name}=${value}\0`;
  return readdirSync('/proc')
    .filter(
      (entry) =>
        /^\d+$/.test(entry) && Number(entry) !== process.pid && variablesOf(entry).includes(sought),
    )
    .map(Number);
}

/** Empty if the process has ended or belongs to another user. */
function variablesOf(process: string): string {
  try {
    return `\0${readFileSync(`/proc/${process}/environ`, 'latin1')}\0`;
  } catch {
    return '';
  }
}
