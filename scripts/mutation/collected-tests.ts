import { readFileSync } from 'node:fs';
import { format } from 'node:util';
import * as vitest from 'vitest';

export interface CollectedTest {
  /** By file, titles and rows: the same whatever a mutant makes of the values in a title. */
  id: string;
  name: string;
  run(): unknown;
}

interface Title {
  id: string;
  name: string;
}

/** Evaluates test files with a stand-in for `vitest` that notes their tests and runs none. */
export function collectTests(evaluate: (standIn: object) => void): CollectedTest[] {
  const tests: CollectedTest[] = [];
  const times = new Map<string, number>();
  let suite: Title = { id: '', name: '' };

  const within = ({ id, name }: Title): Title => ({
    id: `${suite.id} > ${id}`,
    name: `${suite.name} > ${name}`,
  });
  const test = (title: Title, run: () => unknown): void => {
    const { id, name } = within(title);
    const path = `${(globalThis as { testFile?: string }).testFile}${id}`;
    const time = (times.get(path) ?? 0) + 1;
    times.set(path, time);
    tests.push({ id: `${path} ${time}`, name, run });
  };
  const describe = (title: Title, body: () => unknown): void => {
    const outer = suite;
    suite = within(title);
    body();
    suite = outer;
  };
  evaluate({ ...vitest, test: titled(test), it: titled(test), describe: titled(describe) });
  return tests;
}

type Body = (...values: unknown[]) => unknown;

/** With a title, as tests and suites are written, and with `each`. */
function titled(define: (title: Title, body: () => unknown) => void) {
  const each = (rows: readonly unknown[]) => (title: string, body: Body) => {
    for (const [row, given] of rows.entries()) {
      const values = Array.isArray(given) ? given : [given];
      const shown = values.slice(0, title.match(/%[a-z]/g)?.length ?? 0);
      define({ id: `${title} ${row}`, name: format(title, ...shown) }, () => body(...values));
    }
  };
  return Object.assign(
    (title: string, body: Body) => define({ id: title, name: title }, () => body()),
    { each },
  );
}

vitest.chai.Assertion.addMethod(
  'toMatchFileSnapshot',
  function (this: { _obj: unknown }, file: string) {
    vitest.expect(this._obj).toBe(readFileSync(file, 'utf8'));
  },
);

/** Vitest's own needs Vitest to run. Here every text of a value must stand in the snapshot. */
vitest.chai.Assertion.addMethod(
  'toMatchInlineSnapshot',
  function (this: { _obj: unknown }, snapshot: string) {
    const spaced = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();
    for (const text of textsIn(this._obj)) vitest.expect(spaced(snapshot)).toContain(spaced(text));
  },
);

function textsIn(value: unknown): string[] {
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(textsIn);
  return typeof value === 'string' ? [value] : [];
}
