import { keepIn } from '@unrut/engine/recent';

/** What somebody else knows, remembered for a moment. */
export interface Remembered<T> {
  (name: string): Promise<T>;
  forget(name: string): void;
}

/** Milliseconds after which somebody who could not be asked is asked again. */
const PAUSE = 1000;

/**
 * Who asks while an answer is on its way waits for the same one. While nobody can be asked, the
 * last answer stands: a database that is away for a while does not make strangers of those who are
 * known. Where there was none, it throws, and that is not remembered.
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

/** One of a list that is remembered. Where it is not among them it may be new: they are asked for again. */
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
