/** What somebody else knows, remembered for a moment. */
export interface Remembered<T> {
  (name: string): Promise<T>;
  forget(name: string): void;
}

/** Who asks while an answer is on its way waits for the same one. What cannot be had is not remembered. */
export function remembered<T>(milliseconds: number, most: number, ask: (name: string) => Promise<T>): Remembered<T> {
  const known = new Map<string, { since: number; answer: Promise<T> }>();
  const forget = (name: string): void => void known.delete(name);
  const answerTo = (name: string): Promise<T> => {
    const now = performance.now();
    const found = known.get(name);
    if (found && now - found.since < milliseconds) return found.answer;
    const answer = ask(name);
    answer.catch(() => forget(name));
    known.delete(name);
    known.set(name, { since: now, answer });
    if (known.size > most) known.delete(known.keys().next().value!);
    return answer;
  };
  return Object.assign(answerTo, { forget });
}
