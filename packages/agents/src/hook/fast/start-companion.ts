import { spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, rmSync, statSync } from 'node:fs';
import { dirname, isAbsolute } from 'node:path';
import { isPrivate } from './ask-companion.ts';

/** A start that has taken longer, in milliseconds, has failed. */
const MAX_START = 10_000;
/** Bytes that every platform allows in the path of a socket. */
const MAX_PATH_LENGTH = 103;

/**
 * Starts the companion, which outlives this process, unless the platform has none or one is
 * running. Never throws.
 */
export function startCompanion(program: string, path: string): void {
  try {
    // Windows has no such addresses in folders; there every hook answers by itself.
    if (
      process.platform === 'win32' ||
      !isAbsolute(path) ||
      Buffer.byteLength(path) > MAX_PATH_LENGTH
    )
      return;
    if (existsSync(path) || !isPrivate(dirname(path)) || !claim(`${path}.start`)) return;
    // The claim of one that has just begun to listen is gone, and its address is there.
    if (existsSync(path)) {
      rmSync(`${path}.start`, { force: true });
      return;
    }
    const child = spawn(process.execPath, [program, '--companion'], {
      detached: true,
      stdio: 'ignore',
      cwd: '/',
    });
    child.on('error', () => {});
    child.unref();
  } catch {
    // The next hook answers by itself, too.
  }
}

/** Many hooks may come at once, of which one starts it. The claim of one that failed runs out. */
function claim(file: string): boolean {
  try {
    closeSync(openSync(file, 'wx', 0o600));
    return true;
  } catch {
    const since = statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Number.POSITIVE_INFINITY;
    if (Date.now() - since > MAX_START) rmSync(file, { force: true });
    return false;
  }
}
