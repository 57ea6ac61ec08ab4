import { expect, test } from 'vitest';
import type { Fingerprint } from '../fingerprint/fingerprint.ts';
import { repeatedCall } from './repeated-call/detector.ts';

/** How sure the detector is, each time that it speaks, while one call goes on bringing one result. */
function strengths(times: number, known: boolean): string[] {
  const state = repeatedCall.start();
  return Array.from({ length: times }, (_, step) => {
    const call = { key: 'k', verb: 'read', target: null, wide: false, effect: 'none', label: 'the call' };
    const result = { known, run: step + 1, size: 200, error: null };
    const seen = { type: 'call-finished', step, progress: null, neutral: null, call, result } as Fingerprint;
    return repeatedCall.step(state, seen, repeatedCall.options);
  }).flatMap((evidence) => evidence?.strength.toFixed(2) ?? []);
}

test('the same answer makes it surer each time, until it is sure', () => {
  expect(strengths(8, true)).toEqual(['0.85', '0.90', '0.95', '1.00', '1.00', '1.00']);
});

test('a result that is not known leaves it half sure, however often it comes', () => {
  expect(strengths(7, false)).toEqual(['0.50', '0.50', '0.50', '0.50']);
});
