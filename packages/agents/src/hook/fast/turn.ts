import { closeSync, mkdirSync, openSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { isRunning } from '@unrut/ledger/processes/running';

/** Milliseconds after which a turn expires; agents end hooks earlier. */
const MAX_TURN = 15_000;

/**
 * Takes one of as many turns as there are processors, held until this process exits, so that hooks
 * that load the program do not slow each other down. False if all are taken; true if the folder is
 * not writable.
 */
export function takeTurn(folder: string): boolean {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch {
    return true;
  }
  for (let n = 0; n < availableParallelism(); n++) {
    const file = join(folder, `hook-turn.${n}`);
    if (isOver(file)) rmSync(file, { force: true });
    try {
      const descriptor = openSync(file, 'wx', 0o600);
      process.once('exit', () => rmSync(file, { force: true }));
      writeSync(descriptor, String(process.pid));
      closeSync(descriptor);
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') return true;
    }
  }
  return false;
}

/** Whether the process that took a turn is gone. A file without a process id was just created. */
function isOver(file: string): boolean {
  try {
    if (Date.now() - statSync(file).mtimeMs > MAX_TURN) return true;
    const holder = Number(readFileSync(file, 'utf8'));
    return holder > 0 && !isRunning(holder);
  } catch {
    return false;
  }
}
