import { spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, rmSync, statSync } from 'node:fs';
import { dirname, isAbsolute } from 'node:path';
import { isPrivate } from './ask-companion.ts';

/** Milliseconds after which a start counts as failed. */
const MAX_START = 10_000;
/** The max length of a socket path on all platforms, in bytes. */
const MAX_PATH_LENGTH = 103;

/**
 * Starts a detached companion, unless one is running or the platform supports none. Never throws.
 */
export function startCompanion(program: string, path: string): void {
  try {
    // Windows has no socket files; every hook answers by itself there.
    if (
      process.platform === 'win32' ||
      !isAbsolute(path) ||
      Buffer.byteLength(path) > MAX_PATH_LENGTH
    )
      return;
    if (existsSync(path) || !isPrivate(dirname(path)) || !claim(`${path}.start`)) return;
    // A companion that has just started has removed its claim and created its address.
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

/** Ensures that only one of many concurrent hooks starts it. A failed start's claim expires. */
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
