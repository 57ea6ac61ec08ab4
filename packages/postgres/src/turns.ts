/**
 * Queues callers per session: each waits until no other holds one of the same sessions. First come,
 * first served.
 */
export interface Turns {
  /** Resolves to a function that ends the turn. */
  take(sessions: readonly string[]): Promise<() => void>;
}

interface Waiting {
  sessions: readonly string[];
  begin(): void;
}

export function createTurns(): Turns {
  const busy = new Set<string>();
  let waiting: Waiting[] = [];

  /** Starts all waiting callers whose sessions are free and not awaited by an earlier caller. */
  function next(): void {
    const claimed = new Set(busy);
    const rest: Waiting[] = [];
    for (const each of waiting) {
      const isFree = each.sessions.every((session) => !claimed.has(session));
      for (const session of each.sessions) claimed.add(session);
      if (isFree) each.begin();
      else rest.push(each);
    }
    waiting = rest;
  }

  return {
    take: (sessions) =>
      new Promise((resolve) => {
        const begin = (): void => {
          for (const session of sessions) busy.add(session);
          resolve(() => {
            for (const session of sessions) busy.delete(session);
            next();
          });
        };
        waiting.push({ sessions, begin });
        next();
      }),
  };
}
