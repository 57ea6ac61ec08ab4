import { uptime } from 'node:os';
import { present } from '@unrut/engine/json';
import { isRunning, processFacts } from '@unrut/ledger/processes/running';

/** The process that works on a run, and when its machine was started, in epoch seconds. */
export interface RunnerProcess {
  pid: number;
  booted: number;
  /**
   * When the process was started, in Linux clock ticks. Distinguishes processes with the same pid.
   */
  started?: string;
}

/** Tolerance for clock differences and rounding, in seconds. */
const SAME_BOOT = 10;

const booted = (): number => Math.round(Date.now() / 1000 - uptime());

/** This process. */
export function thisRunner(): RunnerProcess {
  const { started } = processFacts(process.pid) ?? {};
  return { pid: process.pid, booted: booted(), ...present({ started }) };
}

/** Whether a process of this machine is known to have ended. Unknown for other machines. */
export const hasEnded = (runner: RunnerProcess): boolean =>
  runner.pid !== process.pid && Math.abs(runner.booted - booted()) <= SAME_BOOT && !isAlive(runner);

/** Whether another process is still working. */
export function isAlive(runner: RunnerProcess): boolean {
  if (runner.pid === process.pid || Math.abs(runner.booted - booted()) > SAME_BOOT) return false;
  if (runner.started !== undefined && processFacts(runner.pid)?.started !== runner.started)
    return false;
  return isRunning(runner.pid);
}
