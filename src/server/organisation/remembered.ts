/** What somebody else knows, remembered for a moment; who asks meanwhile waits for the same answer. What cannot be had is not remembered. */
export function remembered<T>(milliseconds: number, most: number, ask: (name: string) => Promise<T>): (name: string) => Promise<T> {
  const known = new Map<string, { since: number; answer: Promise<T> }>();
  return (name) => {
    const now = performance.now();
    const found = known.get(name);
    if (found && now - found.since < milliseconds) return found.answer;
    const answer = ask(name);
    answer.catch(() => known.delete(name));
    known.delete(name);
    known.set(name, { since: now, answer });
    if (known.size > most) known.delete(known.keys().next().value!);
    return answer;
  };
}
