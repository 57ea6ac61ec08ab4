import type { Ledger } from '@unrut/ledger/ledger';
import { createSqliteLedger } from '@unrut/ledger/sqlite';
import { expect, test } from 'vitest';
import { newPath } from '../ledger-files.ts';
import { play, roadmapOf } from './scripted-run.ts';

const TASKS = 1000;

/**
 * What a tick costs that does not depend on the machine: how often the ledger is asked, and how
 * much goes in and out.
 */
interface Counted {
  calls: number;
  bytes: number;
}

/** A ledger that counts what it is given and gives; in an update, what is read and written. */
function counting(ledger: Ledger, count: Counted): Ledger {
  const add = <Value>(value: Value): Value => {
    count.bytes += JSON.stringify(value)?.length ?? 0;
    return value;
  };
  const update: Ledger['update'] = (sessions, change, how) => {
    count.calls++;
    return ledger.update(
      sessions,
      (saved) =>
        add(change(saved.map(({ version, read }) => ({ version, read: () => add(read()) })))),
      how,
    );
  };
  return new Proxy(ledger, {
    get(target, name) {
      const value = Reflect.get(target, name);
      if (name === 'update') return update;
      if (typeof value !== 'function') return value;
      return async (...args: unknown[]) => {
        count.calls++;
        add(args);
        return add(await value.apply(target, args));
      };
    },
  });
}

const median = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)]!;

test.each([
  ['one after another', (i: number) => (i === 0 ? [] : [`T${i - 1}`])],
  ['in any order', () => []],
])(
  'a roadmap of 1,000 tasks, %s: a tick at the end costs at most 1.5 times one at the start',
  async (_, dependsOn) => {
    const count: Counted = { calls: 0, bytes: 0 };
    const ledger = createSqliteLedger({ path: newPath() });
    const at: (Counted & { prompt: number })[] = [];
    const { result, ran } = await play(
      (_context, prompt) => {
        at.push({ ...count, prompt: prompt.length });
        return { output: 'WORK: wrote the part\nTASK_COMPLETE', cost: { tokens: 10 } };
      },
      {
        roadmap: roadmapOf(
          ...Array.from({ length: TASKS }, (_each, i) => ({
            id: `T${i}`,
            prompt: `Do part ${i}.`,
            dependsOn: dependsOn(i),
          })),
        ),
        ledger: counting(ledger, count),
        looksAtFiles: false,
      },
    );
    await ledger.close();
    expect(result.ending).toBe('done');
    expect(ran).toHaveLength(TASKS);
    const perTick = (from: number, of: keyof Counted): number =>
      median(at.slice(from + 1, from + 100).map((each, i) => each[of] - at[from + i]![of]));
    expect(perTick(100, 'bytes')).toBeGreaterThan(500);
    for (const of of ['calls', 'bytes'] as const)
      expect(perTick(TASKS - 100, of), of).toBeLessThanOrEqual(perTick(100, of) * 1.5);
    expect(at.at(-1)!.prompt).toBeLessThan(at[100]!.prompt * 1.2);
  },
);
