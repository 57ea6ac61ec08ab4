import type { ComponentChildren, JSX } from 'preact';
import { useState } from 'preact/hooks';
import { change } from '../../api/me.ts';
import { lookAgain } from '../../api/stream.ts';
import { type Answer, useAnswer } from '../../api/use-answer.ts';
import { Answered } from '../answered.tsx';
import { Table, type TableProps } from '../table.tsx';

/** A list that only people change: it is asked for again after each change from this page. */
export interface ChangeableList<T> {
  answer: Answer<T>;
  /** Why the last change failed; empty if it succeeded. */
  problem: string;
  /** Returns the server's answer; undefined if it refused. */
  act<Result>(method: 'POST' | 'DELETE', path: string, body?: object): Promise<Result | undefined>;
}

export function useList<T>(path: string): ChangeableList<T> {
  const answer = useAnswer<T>(path, { concerns: () => false, every: 100 });
  const [problem, setProblem] = useState('');
  return {
    answer,
    problem,
    async act(method, where, body) {
      try {
        const result = await change<never>(method, where, body);
        setProblem('');
        lookAgain();
        return result;
      } catch (error) {
        setProblem((error as Error).message);
        return undefined;
      }
    },
  };
}

interface ListedProps<T, Row> extends Omit<TableProps<Row>, 'rows'> {
  list: ChangeableList<T>;
  rows(data: T): readonly Row[];
  /** What changes it. */
  children: ComponentChildren;
}

/** A list as a table, with its actions and the error of the last change. */
export const Listed = <T, Row>({
  list: { answer, problem },
  rows,
  children,
  ...table
}: ListedProps<T, Row>): JSX.Element => (
  <>
    <Answered answer={answer}>{(data) => <Table {...table} rows={rows(data)} />}</Answered>
    {children}
    {problem !== '' && (
      <p class="problem" role="alert">
        {problem}
      </p>
    )}
  </>
);
