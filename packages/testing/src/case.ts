import { UnrutError } from '@unrut/engine/errors';
import type { CallFinished, Rung } from '@unrut/engine/event';
import type { Plan } from '@unrut/engine/policy/plan';

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

/** A plan on a rung, as a guard makes it. */
export const planOn = (
  rung: Rung,
  words: Partial<Pick<Plan, 'id' | 'toModel' | 'toHuman'>> = {},
): Plan => ({
  id: rung,
  recovery: 'test',
  rung,
  reason: 'test/test',
  toModel: 'What the model reads.',
  toHuman: 'What a person reads.',
  budgetLeft: 5,
  streak: 's1',
  ...words,
});

/** The i-th look at an order that never changes: from the third on, a loop. */
export const sameLook = (i: number, at: number): CallFinished => ({
  type: 'call-finished',
  session: 's',
  at,
  call: { id: `c${i}`, tool: 'lookup_order', args: { order: 7 } },
  result: 'Order 7 was shipped on Monday.',
});
