import { describe, expect, test } from 'vitest';
import { force, play, type Turn, times } from './play.ts';

/** A flag is switched on and off, and each time a measurement follows. */
const alternates = (i: number): Turn => {
  const on = i % 4 < 2;
  return i % 2 === 0
    ? {
        tool: 'Edit',
        args: {
          file_path: '/p/config.yaml',
          old_string: `new_alloc: ${!on}`,
          new_string: `new_alloc: ${on}`,
        },
        result: 'The file /p/config.yaml has been updated successfully.',
      }
    : { run: 'make bench', result: `mean ${(on ? 41 : 49) + (i % 7) / 10} ms, 1000 iterations` };
};

describe('a measurement that alternates between two versions', () => {
  test('is left alone if the user asked for so many runs of each', () => {
    const prompt = 'Compare with and without the new allocator, alternating, 8 runs each.';
    for (const attended of [true, false]) {
      const played = play({ turns: times(32, alternates), prompt, attended });
      expect(force(played)).toEqual([]);
      expect(played.acts.filter(({ text }) => text.includes('same results'))).toEqual([]);
    }
  });

  test.each(['Find out why the build is slow.', 'Compare both versions, 3 runs each.'])(
    'twin: reaches a human far beyond what was asked for: %s',
    (prompt) => {
      const played = play({ turns: times(120, alternates), prompt });
      expect(force(played).some((act) => act.endsWith('escalate'))).toBe(true);
    },
  );
});
