/** A signal that comes when somebody asks the process to end, so that it can do so in order. The second time ends it at once. */
export function untilStopped(stop: AbortController = new AbortController()): AbortSignal {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => stop.abort());
  return stop.signal;
}
