import { killAll } from '@unrut/ledger/processes/run-process';
import { SIGNALS } from './until-stopped.ts';

/**
 * A signal for when somebody asks the process to end. Asked once, it ends by itself, within
 * seconds: what it has started ends first. Asked twice, it ends at once, and kills what it has
 * started.
 */
export function whenInterrupted(told: () => void): { signal: AbortSignal; dispose: () => void } {
  const stop = new AbortController();
  const dispose = (): void => {
    for (const signal of SIGNALS) process.off(signal, onSignal);
  };
  function onSignal(signal: NodeJS.Signals): void {
    if (stop.signal.aborted) {
      killAll();
      dispose();
      process.kill(process.pid, signal);
    } else told();
    stop.abort();
  }
  for (const signal of SIGNALS) process.on(signal, onSignal);
  return { signal: stop.signal, dispose };
}
