import { UnrutError } from '../errors.ts';

/** One test, for any test runner: `for (const { name, run } of cases) test(name, run)`. */
export interface Case {
  name: string;
  run(): void | Promise<void>;
}

/** Fails the case with one sentence. */
export function check(holds: unknown, otherwise: string): asserts holds {
  if (!holds) throw new UnrutError('failed-case', otherwise);
}
