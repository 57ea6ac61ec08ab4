import { closeSync, readdirSync, readFileSync } from 'node:fs';

const CLOSE_ON_EXEC = 0o2000000;

/**
 * Closes file descriptors that this process inherited, except the standard streams. The agent's
 * parent may wait for such a file to close, or hold a lock through it. Node marks its own files as
 * close-on-exec; inherited ones are not marked. Linux only: elsewhere Node passes on no files.
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
      // The descriptor used to read the folder is already closed.
    }
  }
}
