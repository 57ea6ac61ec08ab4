import { useEffect, useState } from 'preact/hooks';
import { type AskError, ask } from '../../api/ask.ts';
import { change } from '../../api/me.ts';
import type { Answer } from '../../api/use-answer.ts';

/** A list that only people change: it is asked for at the beginning and after each change from this page. */
export interface ChangeableList<T> {
  answer: Answer<T>;
  /** Why the last change failed; empty where it did not. */
  problem: string;
  /** Gives what the server answered, or nothing where it refused. */
  act<Result>(method: 'POST' | 'DELETE', path: string, body?: object): Promise<Result | undefined>;
}

export function useList<T>(path: string): ChangeableList<T> {
  const [answer, setAnswer] = useState<Answer<T>>({ data: null, error: null, isLoading: true });
  const [problem, setProblem] = useState('');
  const look = (): Promise<void> =>
    ask<T>(path).then(
      (data) => setAnswer({ data, error: null, isLoading: false }),
      (error: AskError) => setAnswer(({ data }) => ({ data, error, isLoading: false })),
    );
  useEffect(() => void look(), [path]);
  return {
    answer,
    problem,
    async act(method, where, body) {
      try {
        const result = await change<never>(method, where, body);
        setProblem('');
        await look();
        return result;
      } catch (error) {
        setProblem((error as Error).message);
        return undefined;
      }
    },
  };
}
