import { mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hash64 } from '@unrut/engine/hash';

/** Milliseconds for which a server that timed out is skipped. */
const PAUSE = 60_000;

/**
 * A circuit breaker for a server that may hang. Hooks are separate processes, so its state is in a
 * file.
 */
export interface Breaker {
  /** False while the server is skipped. After that, the first caller tries it on behalf of all. */
  mayAsk(): boolean;
  /** Called after any answer. */
  answered(): void;
  /** Called after a timeout. */
  hung(): void;
}

/** A breaker whose file is in `folder`. Never throws: without the file, the server is called. */
export function breakerFor(folder: string, server: string, now: number = Date.now()): Breaker {
  const mark = join(folder, `away-${hash64(server)}`);
  let isMarked = false;
  const set = (): void => {
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      writeFileSync(mark, '', { mode: 0o600 });
    } catch {
      // Then the next hook waits too.
    }
  };
  return {
    mayAsk() {
      const age = now - (statSafely(mark) ?? Number.NaN);
      isMarked = !Number.isNaN(age);
      // A time in the future comes from another clock.
      if (age > -PAUSE && age < PAUSE) return false;
      if (isMarked) set();
      return true;
    },
    answered() {
      if (!isMarked) return;
      try {
        rmSync(mark, { force: true });
      } catch {
        // Failing to delete it is harmless: it expires in a minute.
      }
    },
    hung: set,
  };
}

function statSafely(file: string): number | undefined {
  try {
    return statSync(file, { throwIfNoEntry: false })?.mtimeMs;
  } catch {
    return undefined;
  }
}
