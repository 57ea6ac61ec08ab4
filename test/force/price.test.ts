import { present } from '@unrut/engine/json';
import { describe, expect, test } from 'vitest';
import { LOOPS } from './loops.ts';
import { blocksAndStops, force, play, times } from './play.ts';

const LONG = 160;

describe.each(LOOPS)('$name', ({ loop, twin, every = 2, prompt, waits, honest }) => {
  test('reaches a human when attended, and is never stopped by its price', () => {
    const played = play({ turns: times(LONG, loop), every, ...present({ prompt }) });
    expect(force(played).some((act) => act.endsWith('escalate'))).toBe(true);
    expect(played.acts.filter(({ rung, byPrice }) => rung === 'stop' && byPrice)).toEqual([]);
  });

  test(
    waits
      ? 'is put on record when unattended, and never stopped'
      : 'ends when unattended, after a report was asked for',
    () => {
      const played = play({
        turns: times(LONG, loop),
        every,
        ...present({ prompt }),
        attended: false,
      });
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
      expect(
        force(play({ turns: times(40, twin), every, ...present({ prompt }), attended })),
      ).toEqual([]);
  });
});

describe('files that are not there, which the user named', () => {
  const { loop } = LOOPS.find(({ name }) => name.startsWith('guessed paths'))!;
  test.each([
    'Check which of the files in manifest.txt are missing.',
    'Do you see these?\n- a.conf\n- b.conf\n- c.conf',
    'Are there 30 configurations?',
    undefined,
  ])('are a list: %s', (prompt) => {
    for (const attended of [true, false])
      expect(force(play({ turns: times(60, loop), attended, ...present({ prompt }) }))).toEqual([]);
  });
});

describe('refused connections are retries, which cost minutes and never end a run', () => {
  const started = { run: 'npm run dev > dev.log 2>&1 &', result: '', exitCode: 0 };
  const refused = times(90, {
    run: 'curl -s http://localhost:3000/',
    error:
      'Exit code 7\ncurl: (7) Failed to connect to localhost port 3000 after 0 ms: Connection refused',
    exitCode: 7,
  });
  test.each([
    ['to a server that the agent started', { turns: [started, ...refused] }],
    ['at intervals of 5 s', { turns: refused, every: 5 }],
    ['that the user asked for', { turns: refused, prompt: 'Wait for the server to come up.' }],
    ['to a server of which nothing is known', { turns: refused }],
  ])('%s', (_name, given) => {
    expect(blocksAndStops(play({ every: 1, attended: false, ...given }))).toEqual([]);
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
