import { describe, expect, it } from 'vitest';
import { isRead, partsOf } from '../../bench/quality/parts.ts';
import type { Firing, Run } from '../../bench/quality/run.ts';
import { voicesOf } from '../../bench/quality/voices.ts';

const run = (source: string, round: number): Run => ({
  id: source,
  source,
  round,
  steps: 40,
  file: '',
  truth: {
    kind: 'spans',
    loops: [{ start: 0, end: 4, stuckAt: 2, kind: 'text', note: '' }],
    borderline: [{ start: 20, end: 24, note: '' }],
  },
});
const firing = (step: number, by: string, note = false): Firing => ({
  step,
  level: 'warn',
  by,
  text: '',
  note,
});

describe('who may speak alone', () => {
  // SHA-256 of `trail` begins with 8, that of `intercode` with 1.
  const runs = [run('trail', 1), run('intercode', 2)];

  it('is counted by alarm, apart for unread sources and later rounds; advice is none', () => {
    const said = [
      firing(3, 'a/x'),
      firing(4, 'a/x'),
      firing(10, 'a/x'),
      firing(22, 'b/y'),
      firing(30, 'c/z', true),
    ];
    const [first, second, ...more] = voicesOf(runs, [said, [firing(3, 'a/x')]]);
    expect(first).toEqual({
      name: 'a/x',
      all: { right: 2, wrong: 1, borderline: 0 },
      unread: { right: 1, wrong: 0, borderline: 0 },
      later: { right: 1, wrong: 0, borderline: 0 },
      sources: [
        { source: 'trail', counts: { right: 1, wrong: 1, borderline: 0 } },
        { source: 'intercode', counts: { right: 1, wrong: 0, borderline: 0 } },
      ],
    });
    expect(second).toMatchObject({ name: 'b/y', all: { right: 0, wrong: 0, borderline: 1 } });
    expect(more).toEqual([]);
  });

  it('is asked of rounds and halves', () => {
    expect(runs.map(({ source }) => isRead(source))).toEqual([true, false]);
    expect(
      partsOf(runs).map(({ name, has }) => [name, runs.filter(has).map(({ source }) => source)]),
    ).toEqual([
      ['round 1', ['trail']],
      ['round 2', ['intercode']],
      ['sources whose errors were read', ['trail']],
      ['sources left unread', ['intercode']],
    ]);
  });
});
