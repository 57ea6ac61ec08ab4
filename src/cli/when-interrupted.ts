const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * A signal for when somebody asks the process to end. Until `dispose` the process ends by itself only, however often it is asked: what it has
 * started ends first, within seconds.
 */
export function whenInterrupted(told: () => void): { signal: AbortSignal; dispose: () => void } {
  const stop = new AbortController();
  const onSignal = (): void => {
    if (!stop.signal.aborted) told();
    stop.abort();
  };
  for (const signal of SIGNALS) process.on(signal, onSignal);
  return {
    signal: stop.signal,
    dispose: () => {
      for (const signal of SIGNALS) process.off(signal, onSignal);
    },
  };
}
