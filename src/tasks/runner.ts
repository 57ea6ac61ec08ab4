import { readFileSync } from 'node:fs';
import { uptime } from 'node:os';

/** The process that works on a run, and when its machine was started, in epoch seconds. */
export interface RunnerProcess {
  pid: number;
  booted: number;
  /** When the process was started, as Linux counts it: another process that got the same number has another. */
  started?: string;
}

/** Clocks and rounding differ by less. */
const SAME_BOOT = 10;

const booted = (): number => Math.round(Date.now() / 1000 - uptime());

/** This process. */
export function thisRunner(): RunnerProcess {
  const started = startOf(process.pid);
  return { pid: process.pid, booted: booted(), ...(started === undefined ? {} : { started }) };
}

/** Whether another process is still at it. */
export function isAlive(runner: RunnerProcess): boolean {
  if (runner.pid === process.pid || Math.abs(runner.booted - booted()) > SAME_BOOT) return false;
  if (runner.started !== undefined && startOf(runner.pid) !== runner.started) return false;
  try {
    process.kill(runner.pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Missing where it cannot be known, or there is no such process. */
function startOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name before it, in parentheses, may hold anything. What follows begins with the third field; the start is the 22nd.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  } catch {
    return undefined;
  }
}
