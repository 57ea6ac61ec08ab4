import { writeSync } from 'node:fs';

/** Bypasses Node's streams, whose output may be lost at exit. */
export function print(text: string, to = 1): void {
  const bytes = Buffer.from(text);
  for (let from = 0; from < bytes.length; ) {
    try {
      from += writeSync(to, bytes, from);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
    }
  }
}

/** Prints an answer to standard output, and the user's text to standard error. */
export function printAnswer({ stdout, stderr }: { stdout: string; stderr?: string }): void {
  print(stdout);
  if (stderr) print(stderr, 2);
}
