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

/** Fails the case where two values are not the same as JSON, and shows where they differ. */
export function checkSame(given: unknown, expected: unknown, what: string): void {
  const [got, wanted] = [JSON.stringify(given) ?? '', JSON.stringify(expected) ?? ''];
  if (got === wanted) return;
  let at = 0;
  while (got[at] === wanted[at]) at++;
  const around = (text: string): string => text.slice(Math.max(0, at - 150), at + 150);
  check(false, `${what}: expected …${around(wanted)}…, got …${around(got)}…`);
}

/** Makes cases about something that is opened for each of them, and closed afterwards. */
export const casesAbout =
  <T extends { close(): Promise<void> }>(name: string, open: () => T | Promise<T>) =>
  (title: string, run: (opened: T) => Promise<void>): Case => ({
    name: `${name}: ${title}`,
    run: async () => {
      const opened = await open();
      try {
        await run(opened);
      } finally {
        await opened.close();
      }
    },
  });
