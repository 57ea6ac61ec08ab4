import { closeSync, readdirSync, readFileSync } from 'node:fs';

const CLOSE_ON_EXEC = 0o2000000;

/**
 * Closes what this process inherited besides its standard streams. Whoever started the agent may
 * wait for the end of such a file, or have a lock by it. What Node opens itself is marked to be
 * closed when another program begins; what was inherited is not. Linux only: elsewhere Node hands
 * over nothing.
 */
export function closeInherited(): void {
  if (process.platform !== 'linux') return;
  for (const name of readdirSync('/proc/self/fd')) {
    try {
      const [, flags = ''] =
        /^flags:\s*(\d+)/m.exec(readFileSync(`/proc/self/fdinfo/${name}`, 'utf8')) ?? [];
      if (Number(name) > 2 && (Number.parseInt(flags, 8) & CLOSE_ON_EXEC) === 0)
        closeSync(Number(name));
    } catch {
      // It was the one by which the folder was read.
    }
  }
}
