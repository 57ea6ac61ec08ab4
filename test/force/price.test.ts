import { describe, expect, test } from 'vitest';
import { LOOPS } from './loops.ts';
import { blocksAndStops, force, play, times } from './play.ts';

const LONG = 160;

describe.each(LOOPS)('$name', ({ loop, twin, every = 2, waits, honest }) => {
  test('reaches a human when attended, and is never stopped by its price', () => {
    const played = play({ turns: times(LONG, loop), every });
    expect(force(played).some((act) => act.endsWith('escalate'))).toBe(true);
    expect(played.acts.filter(({ rung, byPrice }) => rung === 'stop' && byPrice)).toEqual([]);
  });

  test(
    waits
      ? 'is put on record when unattended, and never stopped'
      : 'ends when unattended, after a report was asked for',
    () => {
      const played = play({ turns: times(LONG, loop), every, attended: false });
      if (waits) expect(blocksAndStops(played)).toEqual([]);
      else {
        expect(played.stoppedAt).not.toBeNull();
        const asked = played.acts.filter(({ rung }) => rung === 'escalate').map(({ call }) => call);
        expect(asked.length).toBeGreaterThan(0);
        expect(asked[0]!).toBeLessThan(played.stoppedAt!);
      }
    },
  );

  test(`its twin is left alone: ${honest}`, () => {
    for (const attended of [true, false])
      expect(force(play({ turns: times(40, twin), every, attended }))).toEqual([]);
  });
});

test('what a human called a false alarm has no price', () => {
  const { loop } = LOOPS[0]!;
  const acts = (detectors: string[]) =>
    force(
      play({
        turns: times(60, loop),
        attended: false,
        options: { forgiven: [{ detectors, silent: false }] },
      }),
    );
  expect(acts(['same-answer'])).toEqual([]);
  expect(acts(['cycle'])).not.toEqual([]);
});
