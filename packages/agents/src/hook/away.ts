import { mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hash64 } from '@unrut/engine/hash';

/** Milliseconds for which a server that did not answer in time is not asked again. */
const PAUSE = 60_000;

/** Whether to ask a server that may hang. Each hook is a process, so a file is what they share. */
export interface Breaker {
  /** False while the server is left alone. Whoever asks first after that asks for all. */
  mayAsk(): boolean;
  /** It answered, whatever it said. */
  answered(): void;
  /** It kept the agent waiting for nothing. */
  hung(): void;
}

/** A breaker whose mark lies in `folder`. Never throws: without a mark the server is asked. */
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
      // A mark of the future is that of another clock.
      if (age > -PAUSE && age < PAUSE) return false;
      if (isMarked) set();
      return true;
    },
    answered() {
      if (!isMarked) return;
      try {
        rmSync(mark, { force: true });
      } catch {
        // It is too old in a minute.
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
