import type { ComponentChildren, JSX } from 'preact';
import type { Answer } from '../api/use-answer.ts';

interface AnsweredProps<T> {
  answer: Answer<T>;
  children: (data: T) => ComponentChildren;
}

/** The API's answer, or its error. While the server is unreachable the last answer stays. */
export function Answered<T>({
  answer: { data, error, isLoading },
  children,
}: AnsweredProps<T>): JSX.Element {
  return (
    <>
      {error && error.status > 0 && (
        <p class="problem" role="alert">
          {error.message}
        </p>
      )}
      {data === null ? (
        (!error || error.status === 0) && <p class="note">Loading…</p>
      ) : (
        <div aria-busy={isLoading}>{children(data)}</div>
      )}
    </>
  );
}
