/** Does something to sessions when it is its turn. */
type InTurn = <T>(sessions: readonly string[], act: () => Promise<T>) => Promise<T>;

/** Whoever comes to a session is served in the order of coming, one at a time, and so many are served at once in all. */
export function createTurns(most: number): InTurn {
  /** The end of the last turn of each session. */
  const ends = new Map<string, Promise<void>>();
  const waiting: (() => void)[] = [];
  let served = 0;

  async function begin(): Promise<void> {
    if (served < most) served++;
    // Whoever ends hands the place on.
    else await new Promise<void>((resolve) => waiting.push(resolve));
  }

  function end(): void {
    const next = waiting.shift();
    if (next) next();
    else served--;
  }

  return async (sessions, act) => {
    const before = sessions.flatMap((session) => ends.get(session) ?? []);
    const { promise, resolve } = Promise.withResolvers<void>();
    for (const session of sessions) ends.set(session, promise);
    await Promise.all(before);
    await begin();
    try {
      return await act();
    } finally {
      end();
      for (const session of sessions) if (ends.get(session) === promise) ends.delete(session);
      resolve();
    }
  };
}
