import { readFileSync } from 'node:fs';

/** Whether a process with this id exists, even of another user. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/**
 * Linux's facts about a process: its parent and start time. Undefined elsewhere, or if it does not
 * exist.
 */
export function processFacts(pid: number): { parent: number; started: string } | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The process name, in parentheses, may contain anything. The part after it starts with the
    // third field; the start time is the 22nd.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { parent: Number(fields[1]), started: fields[19]! };
  } catch {
    return undefined;
  }
}
