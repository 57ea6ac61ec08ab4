import { uptime } from 'node:os';

/** The process that works on a run, and when its machine was started, in epoch seconds. */
export interface Runner {
  pid: number;
  booted: number;
}

/** Clocks and rounding differ by less. */
const SAME_BOOT = 10;

const booted = (): number => Math.round(Date.now() / 1000 - uptime());

/** This process. */
export const thisRunner = (): Runner => ({ pid: process.pid, booted: booted() });

/** Whether another process is still at it. */
export function isAlive(runner: Runner): boolean {
  if (runner.pid === process.pid || Math.abs(runner.booted - booted()) > SAME_BOOT) return false;
  try {
    process.kill(runner.pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
