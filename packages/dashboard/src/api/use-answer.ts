import type { StreamEntry } from '@unrut/server/api/answers';
import { useEffect, useState } from 'preact/hooks';
import { place } from '../router.tsx';
import { useStore } from '../store.ts';
import { type AskError, ask } from './ask.ts';
import { inProject } from './in-project.ts';
import { me } from './me.ts';
import { listen } from './stream.ts';

/** The state of a request. It has both data and an error if the server has become unreachable. */
export interface Answer<T> {
  data: T | null;
  error: AskError | null;
  /** The data is still that of the previous request. */
  isLoading: boolean;
}

export interface UseAnswerOptions {
  /** Whether an entry of the ledger changes the answer. Default: each does. */
  concerns?: (entry: StreamEntry) => boolean;
  /** It is asked for again at most this often, in milliseconds. Default: 1000. */
  every?: number;
}

/** Some answers change with time alone: an agent falls silent, a day is over. Milliseconds. */
const AGING = 30_000;

/**
 * Asks the API, and asks again whenever the ledger says that the answer has changed. The last
 * answer stays until there is a new one.
 */
export function useAnswer<T>(
  path: string,
  { concerns = () => true, every = 1000 }: UseAnswerOptions = {},
): Answer<T> {
  useStore(place);
  useStore(me);
  const asked = inProject(path);
  const [answer, setAnswer] = useState<Answer<T> & { path: string | undefined }>({
    path: asked,
    data: null,
    error: null,
    isLoading: true,
  });
  useEffect(() => {
    if (asked === undefined) return;
    const address: string = asked;
    const left = new AbortController();
    let [isStale, isAsking] = [false, false];

    async function refresh(): Promise<void> {
      isStale = true;
      if (isAsking) return;
      isAsking = true;
      while (isStale && !left.signal.aborted) {
        isStale = false;
        try {
          const data = await ask<T>(address, left.signal);
          setAnswer({ path: address, data, error: null, isLoading: false });
        } catch (error) {
          if (!left.signal.aborted)
            setAnswer(({ data }) => ({
              path: address,
              data,
              error: error as AskError,
              isLoading: false,
            }));
        }
        await new Promise((resolve) => setTimeout(resolve, every));
      }
      isAsking = false;
    }

    void refresh();
    const aging = setInterval(() => document.hidden || void refresh(), AGING);
    const unlisten = listen((entry) => (entry === null || concerns(entry)) && void refresh());
    return () => {
      left.abort();
      clearInterval(aging);
      unlisten();
    };
  }, [asked]);
  return answer.path === asked ? answer : { ...answer, isLoading: true };
}
