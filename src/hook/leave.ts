/** Ends a process that still waits for input, which Node by itself cannot before that ends. */
export function leave(): never {
  if (process.platform !== 'win32') process.execve?.('/bin/sh', ['sh', '-c', 'exit 0'], {});
  process.kill(process.pid, 'SIGKILL');
  throw new Error('unreachable');
}
