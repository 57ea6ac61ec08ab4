import { read } from 'node:fs';

const CHUNK = 1 << 16;
/** Milliseconds that a hook waits for its payload. */
export const FOR_INPUT = 3000;

/** All of standard input; undefined if it has not ended after this many milliseconds. */
export function readStandardInput(patience: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const timer = setTimeout(() => resolve(undefined), patience);
    const end = (): void => {
      clearTimeout(timer);
      resolve(Buffer.concat(chunks).toString('utf8'));
    };
    // Node's streams load slowly, so a thread reads instead. Only `leave` can end it, and only if
    // `execve` exists.
    if (process.execve) readOn(chunks, end);
    else
      process.stdin
        .on('data', (chunk) => chunks.push(chunk as Buffer))
        .on('end', end)
        .on('error', end);
  });
}

function readOn(chunks: Buffer[], end: () => void): void {
  const chunk = Buffer.allocUnsafe(CHUNK);
  read(0, chunk, 0, CHUNK, null, (error, length) => {
    if (error?.code === 'EAGAIN') setTimeout(() => readOn(chunks, end), 1);
    else if (!error && length > 0) {
      chunks.push(chunk.subarray(0, length));
      readOn(chunks, end);
    } else end();
  });
}

/** Ends a process whose thread is still reading; Node alone cannot. */
export function leave(): never {
  if (process.platform !== 'win32') process.execve?.('/bin/sh', ['sh', '-c', 'exit 0'], {});
  process.exit(0);
}
