import { expect, test } from 'vitest';
import { createGuard, type GuardOptions } from '../guard.ts';
import type { Forgiven } from './forgiven.ts';

/** The guard's plans for this many equal failing calls. */
function rungsOf(tries: number, options: GuardOptions): string[] {
  const guard = createGuard({ attended: false, ...options });
  const rungs: string[] = [];
  for (let n = 1; n <= tries; n++) {
    const base = {
      session: 's',
      at: n * 5000,
      call: { id: `c${n}`, tool: 'Bash', args: { command: 'npm test' } },
    };
    const before = guard.observe({ ...base, type: 'call-proposed', id: `p${n}` });
    const after = guard.observe({
      ...base,
      type: 'call-finished',
      id: `f${n}`,
      result: '1 failed',
      error: true,
      at: n * 5000 + 1,
    });
    for (const { plan, signals } of [before, after]) {
      if (plan) rungs.push(plan.rung);
      keys = signals[0]?.evidence.keys ?? keys;
    }
  }
  return rungs;
}
let keys: string[] = [];

test('what was marked as a false alarm gets less force, then none; everything else stays the same', () => {
  const usual = rungsOf(8, {});
  expect(usual).toContain('block');
  const of = (each: Forgiven): string[] => rungsOf(8, { forgiven: [each] });
  for (const about of [{ keys }, { tool: 'npm test' }]) {
    expect(new Set(of({ ...about, silent: false }))).toEqual(new Set(['note']));
    expect(of({ ...about, silent: true })).toEqual([]);
  }
  expect(of({ keys: ['another'], silent: true })).toEqual(usual);
  expect(of({ tool: 'npm run', silent: true })).toEqual(usual);
  expect(of({ detectors: ['cycle'], silent: true })).toEqual(usual);
});
