import { writeSync } from 'node:fs';

/** Without Node's streams: what they print may be lost when the process ends. */
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

/** What a hook answers: to standard output, and to the other one what is for a person. */
export function printAnswer({ stdout, stderr }: { stdout: string; stderr?: string }): void {
  print(stdout);
  if (stderr) print(stderr, 2);
}
