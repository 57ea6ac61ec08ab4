/** A statement of SQL that both ledgers understand, with `$1` for the first value. */
export interface Statement {
  sql: string;
  values: readonly unknown[];
}

/**
 * Work in one transaction, one statement at a time: each is answered with its rows. SQLite runs it
 * at a stretch, Postgres waits for each answer.
 */
export type Steps<T> = Generator<Statement, T, readonly object[]>;

/** Asks for rows. */
export function* asked<Row extends object>(
  sql: string,
  ...values: readonly unknown[]
): Steps<Row[]> {
  return (yield { sql, values }) as Row[];
}

/** Runs steps with answers that are there at once. */
export function runSteps<T>(steps: Steps<T>, ask: (statement: Statement) => readonly object[]): T {
  let step = steps.next();
  while (!step.done) step = steps.next(ask(step.value));
  return step.value;
}

/** Runs steps with answers that have to be waited for. */
export async function runStepsLater<T>(
  steps: Steps<T>,
  ask: (statement: Statement) => Promise<readonly object[]>,
): Promise<T> {
  let step = steps.next();
  while (!step.done) step = steps.next(await ask(step.value));
  return step.value;
}
