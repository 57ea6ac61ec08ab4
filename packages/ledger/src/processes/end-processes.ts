import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';

/** A variable in the environment of a process and of all that it starts. */
export interface Mark {
  name: string;
  value: string;
}

const LOOK_EVERY = 50;
const MAX_PAUSE = 400;

/**
 * Ends a process group and everything that carries the mark, wherever it has gone: asks, waits as
 * long as `grace` milliseconds, then kills. Outside Linux the mark cannot be seen, and only the
 * group is ended.
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
  // A look takes a while where many processes run.
  const end = performance.now() + grace;
  for (let pause = LOOK_EVERY; performance.now() < end; pause = Math.min(2 * pause, MAX_PAUSE)) {
    await wait(Math.min(pause, Math.max(0, end - performance.now())));
    if (!send(0)) return;
  }
  send('SIGKILL');
}

/** At once, where there is no time to ask. */
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

/** Empty for a process that has ended, or is another user's. */
function variablesOf(process: string): string {
  try {
    return `\0${readFileSync(`/proc/${process}/environ`, 'latin1')}\0`;
  } catch {
    return '';
  }
}
