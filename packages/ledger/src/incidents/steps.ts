/** An SQL statement that both ledgers understand; `$1` is the first value. */
export interface Statement {
  sql: string;
  values: readonly unknown[];
}

/**
 * Statements of one transaction; each `yield` returns the rows of a statement. SQLite runs them
 * synchronously, Postgres asynchronously.
 */
export type Steps<T> = Generator<Statement, T, readonly object[]>;

/** Asks for rows. */
export function* asked<Row extends object>(
  sql: string,
  ...values: readonly unknown[]
): Steps<Row[]> {
  return (yield { sql, values }) as Row[];
}

/** Runs steps synchronously. */
export function runSteps<T>(steps: Steps<T>, ask: (statement: Statement) => readonly object[]): T {
  let step = steps.next();
  while (!step.done) step = steps.next(ask(step.value));
  return step.value;
}

/** Runs steps asynchronously. */
export async function runStepsLater<T>(
  steps: Steps<T>,
  ask: (statement: Statement) => Promise<readonly object[]>,
): Promise<T> {
  let step = steps.next();
  while (!step.done) step = steps.next(await ask(step.value));
  return step.value;
}
