import { type Detector, defineDetector } from '@unrut/engine/detectors/detector';
import { describe, expect, test } from 'vitest';
import { testDetector } from './test-detector.ts';

/** Counts calls without asking what they brought. */
const counter = (changes: Partial<Detector> = {}): Detector => ({
  ...defineDetector({
    name: 'counter',
    status: 'trial',
    watches: ['call-finished'],
    rungs: { first: 'note', highest: 'note' },
    options: {},
    start: (): { count: number } => ({ count: 0 }),
    step: (state, { step }) =>
      ++state.count < 5
        ? null
        : { variant: 'many', count: state.count, since: step, keys: ['k'], strength: 1, facts: {} },
    explain: ({ count }) => `there were ${count} calls`,
    moves: ['make fewer calls'],
  }),
  ...changes,
});
const honestWork = (detector: Detector) =>
  testDetector(detector, '').find(({ name }) => name.endsWith('every step makes progress'))!;

describe('a detector must stay quiet while every step makes progress', () => {
  test('one that speaks there fails', () => {
    expect(honestWork(counter()).run).toThrow(
      /expected silence while every step makes progress, or many in `advises`/,
    );
  });

  test('one that says nothing passes', () => {
    expect(honestWork(counter({ step: () => null })).run).not.toThrow();
  });

  test('one that declares its variant as advice passes', () => {
    expect(honestWork(counter({ advises: ['many'] })).run).not.toThrow();
    expect(honestWork(counter({ advises: ['few'] })).run).toThrow();
  });
});
