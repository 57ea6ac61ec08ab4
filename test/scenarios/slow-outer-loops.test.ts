import { describe, expect, test } from 'vitest';
import { createGuard } from '../../packages/cli/src/index.ts';

const MINUTE = 60_000;

/** The rungs of the plans along fifteen iterations or attempts that are a minute apart. */
function rungsOf(event: (n: number) => object, gap = MINUTE): string[] {
  const guard = createGuard({ can: ['note', 'hint', 'escalate', 'stop'] });
  return Array.from({ length: 15 }, (_, i) => {
    const about = { session: 'nightly', at: 1_760_825_000_000 + i * gap };
    return guard.observe({ ...about, ...event(i + 1) } as never).plan?.rung ?? '';
  }).filter(Boolean);
}

const output = (text: (n: number) => string) => (n: number) => ({
  type: 'output-finished',
  iteration: n,
  output: text(n),
});
const attempt = (work: (n: number) => string[]) => (n: number) => ({
  type: 'task-attempted',
  task: 'T',
  status: 'in_progress',
  blockers: [],
  work: work(n),
  attemptSession: `s${n}`,
});

describe('an outer loop whose turns are a minute apart climbs the whole ladder', () => {
  test.each([
    ['equal outputs', output(() => 'Fixed auth.ts - added null check')],
    ['equal attempts', attempt(() => ['Read file A'])],
  ])('%s', (_, event) => {
    const rungs = rungsOf(event);
    expect(rungs.slice(0, 4)).toEqual(['note', 'hint', 'escalate', 'stop']);
    expect(rungs).toEqual(rungsOf(event, 5000));
  });

  test.each([
    [
      'outputs that get on',
      output((n) => `${16 - n} tests failing - ${'abcdefghijklmno'.slice(n)}`),
    ],
    ['attempts that get on', attempt((n) => [`Wrote part ${'x'.repeat(n)}`])],
  ])('twin: %s get no plan', (_, event) => expect(rungsOf(event)).toEqual([]));
});
