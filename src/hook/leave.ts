/** Ends a process that still waits for input. While a thread reads, Node by itself cannot. */
export function leave(): never {
  if (process.platform !== 'win32') process.execve?.('/bin/sh', ['sh', '-c', 'exit 0'], {});
  process.exit(0);
}
