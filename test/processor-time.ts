/**
 * Milliseconds that this thread spends on something, however busy the machine is. For bounds that
 * only a text which is read far too often would break: how fast things are is measured by `npm run
 * bench:speed`.
 */
export function processorTime(work: () => void): number {
  const spent = processorClock();
  work();
  return spent();
}

/**
 * Begins to count; gives the milliseconds that this thread has spent since. For work that waits in
 * between.
 */
export function processorClock(): () => number {
  const before = process.threadCpuUsage();
  return () => {
    const { user, system } = process.threadCpuUsage(before);
    return (user + system) / 1000;
  };
}
