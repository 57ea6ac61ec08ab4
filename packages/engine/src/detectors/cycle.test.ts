import { evidenceOf } from '@unrut/test/detector-steps';
import { expect, test } from 'vitest';
import { cycle } from './cycle/detector.ts';

test('rounds are counted beyond what is kept of them', () => {
  const steps = Array.from({ length: 80 }, (_, i) => ({
    call: { key: `k${i % 2}` },
    result: { digest: `d${i % 2}` },
  }));
  const found = evidenceOf(cycle, steps).filter((each) => each !== null);
  expect(found.at(-1)).toMatchObject({ count: 40, since: 0 });
  // A step of another kind begins again.
  const other = { call: { key: 'other' }, result: { digest: 'other' } };
  const after = evidenceOf(cycle, [...steps, other, ...steps.slice(0, 8)]);
  expect(after.at(-1)).toMatchObject({ count: 4, since: 81 });
});
