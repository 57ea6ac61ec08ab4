import { readFileSync } from 'node:fs';

/** Whether there is a process of this number, also one of another user. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/**
 * What Linux says of a process: its parent, and when it was started, as the system counts it.
 * Nothing elsewhere, or where there is none.
 */
export function processFacts(pid: number): { parent: number; started: string } | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name before it, in parentheses, may hold anything. What follows begins with the third
    // field; the start is the 22nd.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { parent: Number(fields[1]), started: fields[19]! };
  } catch {
    return undefined;
  }
}
