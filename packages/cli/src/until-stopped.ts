/** The signals that ask a process to end. */
export const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * A signal that is aborted when the process is asked to end, with the kind of request as its
 * reason. A second request ends the process immediately.
 */
export function untilStopped(stop: AbortController = new AbortController()): AbortSignal {
  const onSignal = (signal: NodeJS.Signals): void => {
    for (const name of SIGNALS) process.off(name, onSignal);
    stop.abort(signal);
  };
  for (const name of SIGNALS) process.on(name, onSignal);
  return stop.signal;
}

/**
 * A signal that follows the other after `pause` milliseconds; immediately if a user waits at the
 * terminal.
 */
export function afterDraining(asked: AbortSignal, pause: number): AbortSignal {
  const stop = new AbortController();
  const onAsked = (): void =>
    void setTimeout(() => stop.abort(), asked.reason === 'SIGINT' ? 0 : pause);
  asked.addEventListener('abort', onAsked, { once: true });
  return stop.signal;
}

/** Waits for a signal. */
export const whenAborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
