import { killAll } from '@unrut/ledger/processes/run-process';
import { SIGNALS } from './until-stopped.ts';

/**
 * A signal that is aborted when the process is asked to end. After one request, it ends its
 * children and exits within seconds; after a second one, it kills them and exits immediately.
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
