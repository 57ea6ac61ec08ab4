import { keepIn } from '@unrut/engine/recent';

/** A cached value from another system. */
export interface Remembered<T> {
  (name: string): Promise<T>;
  forget(name: string): void;
}

/** Milliseconds before a failed request is retried. */
const PAUSE = 1000;

/**
 * Concurrent callers share one request. If a request fails, the last value is used, so that known
 * callers stay known while the database is away. Without a last value it throws, which is not
 * cached.
 */
export function remembered<T>(
  milliseconds: number,
  most: number,
  ask: (name: string) => Promise<T>,
): Remembered<T> {
  const known = new Map<string, { until: number; answer: Promise<T> }>();
  const forget = (name: string): void => void known.delete(name);

  function askAgain(name: string, last: Promise<T> | undefined): Promise<T> {
    const answer = ask(name).catch((error: unknown) => {
      if (!last) throw error;
      entry.until = performance.now() + PAUSE;
      return last;
    });
    const entry = { until: performance.now() + milliseconds, answer };
    answer.catch(() => known.get(name) === entry && forget(name));
    keepIn(known, name, entry, most);
    return answer;
  }

  const answerTo = (name: string): Promise<T> => {
    const found = known.get(name);
    return found && performance.now() < found.until ? found.answer : askAgain(name, found?.answer);
  };
  return Object.assign(answerTo, { forget });
}

/** An item of a cached list. If it is missing, it may be new, so the list is loaded again. */
export async function findIn<T>(
  lists: Remembered<readonly T[]>,
  name: string,
  isIt: (each: T) => boolean,
): Promise<T | undefined> {
  const found = (await lists(name)).find(isIt);
  if (found) return found;
  lists.forget(name);
  return (await lists(name)).find(isIt);
}
