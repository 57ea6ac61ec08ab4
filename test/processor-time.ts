/**
 * Milliseconds that this thread spends on something, however busy the machine is. For bounds that only a text which is read far too often
 * would break: how fast things are is measured by `npm run bench:speed`.
 */
export function processorTime(work: () => void): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}
