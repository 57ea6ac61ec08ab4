import { spawn } from 'node:child_process';
import { closeSync, openSync, statSync, unlinkSync } from 'node:fs';

/** A start that has taken longer, in milliseconds, has failed. */
const LONGEST_START = 10_000;

/** Starts the companion, which outlives this process, unless somebody else is about to. Never throws. */
export function startCompanion(program: string, path: string): void {
  // Windows has no such addresses in folders; there every hook answers by itself.
  if (process.platform === 'win32' || !claim(`${path}.start`)) return;
  try {
    const child = spawn(process.execPath, [program, '--companion'], { detached: true, stdio: 'ignore', cwd: '/' });
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
    const since = statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
    if (since > 0 && Date.now() - since > LONGEST_START) {
      try {
        unlinkSync(file);
      } catch {
        // Somebody else was faster.
      }
    }
    return false;
  }
}
