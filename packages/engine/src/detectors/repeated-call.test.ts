import { expect, test } from 'vitest';
import type { Fingerprint } from '../fingerprint/fingerprint.ts';
import { repeatedCall } from './repeated-call/detector.ts';

/**
 * How sure the detector is, each time that it speaks, while one call continues bringing one result.
 */
function strengths(times: number, known: boolean): string[] {
  const state = repeatedCall.start();
  return Array.from({ length: times }, (_, step) => {
    const call = {
      key: 'k',
      verb: 'read',
      target: null,
      wide: false,
      effect: 'none',
      label: 'the call',
    };
    const result = { known, sameInARow: step + 1, size: 200, error: null };
    const seen = {
      type: 'call-finished',
      step,
      progress: null,
      neutral: null,
      call,
      result,
    } as Fingerprint;
    return repeatedCall.step(state, seen, repeatedCall.options);
  }).flatMap((evidence) => evidence?.strength.toFixed(2) ?? []);
}

test('the strength grows with each equal answer, up to 1', () => {
  expect(strengths(8, true)).toEqual(['0.85', '0.90', '0.95', '1.00', '1.00', '1.00']);
});

test('the strength stays at a half without a known result', () => {
  expect(strengths(7, false)).toEqual(['0.50', '0.50', '0.50', '0.50']);
});

interface Step {
  key?: string;
  verb?: string;
  progress?: string | null;
  error?: boolean;
  target?: string;
}

/** What it says of each step of a run in which every call brings what it has brought before. */
function evidence(steps: readonly Step[]) {
  const state = repeatedCall.start();
  return steps.map(
    ({ key = 'k', verb = 'read', progress = null, error = false, target = null }, step) => {
      const call = { key, verb, target, wide: false, effect: 'none', label: key, shell: false };
      const result = {
        known: true,
        sameInARow: step + 1,
        size: 200,
        error: error ? { label: 'not found' } : null,
      };
      const seen = {
        type: 'call-finished',
        step,
        progress,
        neutral: null,
        call,
        result,
      } as Fingerprint;
      return repeatedCall.step(state, seen, repeatedCall.options);
    },
  );
}
const counts = (steps: readonly Step[]): (number | undefined)[] =>
  evidence(steps).map((each) => each?.count);

test('a success does not repeat earlier failures', () => {
  const failed = { error: true };
  expect(counts([failed, failed, failed, {}, {}, {}])).toEqual([
    undefined,
    undefined,
    3,
    undefined,
    undefined,
    3,
  ]);
});

test('twin: further failures count', () => {
  const failed = { error: true };
  expect(counts([failed, failed, failed, failed])).toEqual([undefined, undefined, 3, 4]);
});

test('a look between two writes elsewhere does not count', () => {
  const write = { key: 'w', verb: 'write', progress: 'write', target: 'file:/b' };
  expect(counts([{}, {}, write, {}, write, {}]).every((count) => count === undefined)).toBe(true);
});

test('twin: a look between two looks elsewhere counts, and is capped at a note if they made progress', () => {
  const look = { key: 'w', progress: 'first-look' };
  const found = evidence([{}, {}, look, {}]).at(-1);
  expect(found).toMatchObject({ variant: 'recurring', count: 3, cap: 'note' });
  expect(evidence([{}, {}, { key: 'w' }, {}]).at(-1)).not.toHaveProperty('cap');
});

test('progress after an action restarts its count', () => {
  const act = { verb: 'execute' };
  const look = { key: 'w', progress: 'first-look' };
  expect(counts([act, act, look, act, look, act]).filter((count) => count !== undefined)).toEqual(
    [],
  );
  expect(counts([act, act, { key: 'w' }, act]).at(-1)).toBe(3);
});

test('with a tool of unknown effect in between, it does not say that nothing could have changed the answer', () => {
  const words = (verb: string): string =>
    repeatedCall.explain(evidence([{}, {}, { key: 'w', verb }, {}]).at(-1)!);
  expect(words('unknown')).toBe(
    '`k` returned the same result 3 times, with other calls in between',
  );
  expect(words('read')).toBe(
    '`k` returned the same result 3 times, and nothing in between could have changed the answer',
  );
});
