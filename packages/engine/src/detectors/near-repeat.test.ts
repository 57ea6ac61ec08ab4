import { evidenceOf, type SeenStep, spokenAt } from '@unrut/test/detector-steps';
import { describe, expect, test } from 'vitest';
import { nearRepeat } from './near-repeat/detector.ts';

type Asked = NonNullable<SeenStep['call']>;
type Answered = NonNullable<SeenStep['result']>;

/**
 * A question in words of its own, with an answer that differs from the others and brings nothing.
 */
const ask = (key: number, words: number[], call: Asked = {}, result: Answered = {}): SeenStep => ({
  call: { key: `k${key}`, shape: `s${key}`, words, ...call },
  result: { digest: `d${key}`, ...result },
});
/** Questions that share two of their ten words with each other. */
const similar = (count: number, call: Asked = {}, result: Answered = {}): SeenStep[] =>
  Array.from({ length: count }, (_, i) =>
    ask(i, [1, 2, ...[3, 4, 5, 6].map((word) => 10 * i + word)], call, result),
  );
const apart = (count: number, call: Asked = {}, result: Answered = {}): SeenStep[] =>
  Array.from({ length: count }, (_, i) => ask(i, [10 * i + 1, 10 * i + 2], call, result));

describe('questions in other words', () => {
  test('the fourth fires, and so does each one after it', () => {
    expect(spokenAt(nearRepeat, similar(5))).toEqual(['3 reworded 4', '4 reworded 5']);
  });

  test('at most six before it are kept', () => {
    const said = evidenceOf(nearRepeat, similar(10)).flatMap((evidence) => evidence ?? []);
    expect(said.map(({ count }) => count)).toEqual([4, 5, 6, 7, 7, 7, 7]);
    expect(said.map(({ since }) => since)).toEqual([0, 0, 0, 0, 1, 2, 3]);
    expect(said.at(-1)!.keys).toEqual(['k3', 'k4', 'k5', 'k6', 'k7', 'k8', 'k9']);
  });

  test('a fifth of their words in common is enough, less is not', () => {
    const less = similar(4).map((step, i) => (i < 3 ? step : ask(3, [1, 2, 33, 34, 35, 36, 37])));
    expect(spokenAt(nearRepeat, less)).toEqual([]);
    expect(spokenAt(nearRepeat, less, { alike: 0.1 })).toEqual(['3 reworded 4']);
  });

  test.each([
    'ripgrep',
    'Glob',
    'search_files',
    'list_file',
    'ls',
    'find',
    'list_dir',
    'read_directory',
  ])('%s looks through files: only variants that add or drop words count', (tool) => {
    expect(spokenAt(nearRepeat, similar(6, { tool }))).toEqual([]);
    const swapped = Array.from({ length: 4 }, (_, i) => ask(i, [1, 2, 3, 10 + i], { tool }));
    expect(spokenAt(nearRepeat, swapped)).toEqual([]);
    const dropped = [...swapped.slice(0, 3), ask(3, [1, 2, 3], { tool })];
    expect(spokenAt(nearRepeat, dropped)).toEqual(['3 reworded 4']);
  });

  test.each(['web_search', 'lsof', 'find_lamps', 'dir_tree', 'profiles_of'])(
    '%s does not',
    (tool) => {
      expect(spokenAt(nearRepeat, similar(4, { tool }))).toEqual(['3 reworded 4']);
    },
  );

  test('a shell looks through files', () =>
    expect(spokenAt(nearRepeat, similar(6, { shell: true }))).toEqual([]));

  test('with equal answers that are long enough, fewer calls are needed', () => {
    const equal = (size: number, call: Asked = {}): string[] =>
      spokenAt(nearRepeat, similar(3, call, { digest: 'one', size }));
    expect(equal(80)).toEqual(['2 reworded 3']);
    expect(equal(79)).toEqual([]);
    expect(equal(80, { tool: 'grep' })).toEqual([]);
  });

  test('the calls of one response are one try', () => {
    const together = (count: number): SeenStep[] =>
      similar(count).map((step) => ({ ...step, batch: 'one response' }));
    expect(spokenAt(nearRepeat, together(8))).toEqual([]);
    expect(spokenAt(nearRepeat, [...together(2), ...similar(3)])).toEqual(['4 reworded 4']);
  });

  test('a new answer, or any progress, resets the count', () => {
    const with3rd = (change: SeenStep): string[] => {
      const steps = similar(6);
      steps[2] = { ...steps[2]!, ...change, result: { ...steps[2]!.result, ...change.result } };
      return spokenAt(nearRepeat, steps);
    };
    expect(with3rd({})).toEqual(['3 reworded 4', '4 reworded 5', '5 reworded 6']);
    expect(with3rd({ result: { novelty: 0.19 } })).toEqual([
      '3 reworded 4',
      '4 reworded 5',
      '5 reworded 6',
    ]);
    expect(with3rd({ result: { novelty: 0.2 } })).toEqual(['5 reworded 4']);
    expect(with3rd({ progress: 'moved' })).toEqual(['5 reworded 4']);
  });

  test('a write elsewhere resets all counts', () => {
    const steps = similar(7);
    steps[2] = { call: { verb: 'write' }, progress: 'write' };
    expect(spokenAt(nearRepeat, steps)).toEqual(['6 reworded 4']);
    steps[2] = { call: { verb: 'write' }, progress: null };
    expect(spokenAt(nearRepeat, steps)).toEqual(['4 reworded 4', '5 reworded 5', '6 reworded 6']);
  });

  test.each<[string, SeenStep]>([
    ['a confirmation', { result: { acknowledgement: true } }],
    ['an empty answer', { result: { empty: true } }],
    ['a word or two', { result: { size: 19 } }],
    ['an answer that nobody saw', { result: { known: false } }],
    [
      'an error',
      {
        result: {
          error: { class: 'e', kind: '', label: '', words: [], transient: false, refusal: null },
        },
      },
    ],
    ['a check', { call: { verb: 'verify' } }],
  ])('%s neither counts nor resets the count', (_, change) => {
    const steps = similar(5);
    steps[1] = {
      call: { ...steps[1]!.call, ...change.call },
      result: { ...steps[1]!.result, novelty: 1, ...change.result },
    };
    expect(spokenAt(nearRepeat, steps)).toEqual(['4 reworded 4']);
  });

  test('the same tool elsewhere is another question', () => {
    for (const elsewhere of [{ tool: 'other' }, { target: 'page:x' }, { folder: 'f' }]) {
      const steps = similar(4).map((step, i) =>
        i === 1 ? { ...step, call: { ...step.call, ...elsewhere } } : step,
      );
      expect(spokenAt(nearRepeat, steps)).toEqual([]);
    }
  });

  test('calls that are not reads get at most a note', () => {
    const capOf = (verb: Asked['verb']) => evidenceOf(nearRepeat, similar(4, { verb })).at(-1)?.cap;
    expect([capOf('read'), capOf('navigate'), capOf('unknown')]).toEqual([
      undefined,
      'note',
      'note',
    ]);
  });

  test('the newer the last answer, the lower the strength', () => {
    const strength = (novelty: number) =>
      evidenceOf(nearRepeat, similar(4, {}, { novelty })).at(-1)?.strength;
    expect(strength(0)).toBeCloseTo(0.9);
    expect(strength(0.1)).toBeCloseTo(0.87);
  });

  test('one call again and again is not a rewording', () => {
    expect(
      spokenAt(
        nearRepeat,
        Array.from({ length: 6 }, () => ask(1, [1, 2])),
      ),
    ).toEqual([]);
  });

  test('with a ninth tool, the first is forgotten', () => {
    const steps = similar(4);
    const others = (count: number) =>
      apart(count).map((step, i) => ({ ...step, call: { ...step.call, tool: `other${i}` } }));
    const speaks = (count: number) =>
      spokenAt(nearRepeat, [...steps.slice(0, 3), ...others(count), steps[3]!]).length;
    expect([speaks(7), speaks(8)]).toEqual([1, 0]);
  });
});

describe('another number each time', () => {
  const drift = (count: number, result: Answered = {}): SeenStep[] =>
    apart(count, {}, result).map((step) => ({ ...step, call: { ...step.call, shape: 'one' } }));

  test('is a drift', () => expect(spokenAt(nearRepeat, drift(4))).toEqual(['3 drift 4']));

  test('an equal call does not drift', () => {
    expect(spokenAt(nearRepeat, drift(4, { sameInARow: 2 }))).toEqual([]);
    expect(spokenAt(nearRepeat, similar(4, {}, { sameInARow: 2 }))).toEqual(['3 reworded 4']);
  });

  test('a call of another shape among them makes it a rewording', () => {
    const [odd] = similar(1);
    expect(
      spokenAt(nearRepeat, [
        odd!,
        ...drift(3).map((step) => ({ ...step, call: { ...step.call, words: [1, 2] } })),
      ]),
    ).toEqual(['3 reworded 4']);
  });
});

describe('questions of one tool without a common word', () => {
  const fruitless = (count: number, call: Asked = {}, size = 80): string[] =>
    spokenAt(nearRepeat, apart(count, call, { size }));

  test('the fifth fires, and evidence has a target only if the calls do', () => {
    expect(fruitless(5)).toEqual(['4 fruitless 5']);
    expect(evidenceOf(nearRepeat, apart(5, {}, { size: 80 })).at(-1)).not.toHaveProperty('target');
    expect(evidenceOf(nearRepeat, similar(4, { target: 'page:x' })).at(-1)?.target).toBe('page:x');
  });

  test.each<[string, Asked, number]>([
    ['short answers', {}, 79],
    ['a target', { target: 'page:x' }, 80],
    ['what is not only asked', { verb: 'navigate' }, 80],
    ['files', { tool: 'grep' }, 80],
  ])('not with %s', (_, call, size) => expect(fruitless(6, call, size)).toEqual([]));
});

describe('attempts in other words', () => {
  const attempt = (i: number, call: Asked = {}, result: Answered = {}): SeenStep =>
    ask(
      i,
      [1, 2, 3, 10 * i + 4],
      { tool: 'type', verb: 'execute', ...call },
      { size: 500, ...result },
    );
  const attempts = (count: number, call: Asked = {}, result: Answered = {}): SeenStep[] =>
    Array.from({ length: count }, (_, i) => attempt(i, call, result));

  test('the fourth with little new content fires with at most a note', () => {
    expect(spokenAt(nearRepeat, attempts(5))).toEqual(['3 reworded-acts 4', '4 reworded-acts 5']);
    expect(evidenceOf(nearRepeat, attempts(4)).at(-1)).toMatchObject({
      cap: 'note',
      since: 0,
      strength: 0.6,
      keys: ['k0', 'k1', 'k2', 'k3'],
    });
  });

  test('the known parts of all results add up', () => {
    const brought = (...novelties: number[]) =>
      spokenAt(
        nearRepeat,
        novelties.map((novelty, i) => attempt(i, {}, { novelty })),
      );
    expect(brought(0.5, 0.5, 0.25, 0.25)).toEqual(['3 reworded-acts 4']);
    expect(brought(0.5, 0.5, 0.25, 0.3)).toEqual([]);
    expect(brought(0, 0, 0, 0.5)).toEqual(['3 reworded-acts 4']);
    expect(brought(0, 0, 0, 0.51)).toEqual([]);
  });

  test('only results that show something count', () => {
    expect(spokenAt(nearRepeat, attempts(5, {}, { size: 499 }))).toEqual([]);
    expect(spokenAt(nearRepeat, [attempt(0, {}, { size: 499 }), ...attempts(4).slice(1)])).toEqual(
      [],
    );
  });

  test('three with the same answer fire, if it is more than a receipt', () => {
    expect(spokenAt(nearRepeat, attempts(3, {}, { digest: 'one', size: 80 }))).toEqual([
      '2 reworded-acts 3',
    ]);
    expect(spokenAt(nearRepeat, attempts(5, {}, { digest: 'one', size: 79 }))).toEqual([]);
  });

  test.each<[string, (step: SeenStep, i: number) => SeenStep]>([
    ['another page', (step) => ({ ...step, call: { ...step.call, shape: 'one' } })],
    ['one plan', (step) => ({ ...step, batch: 'b' })],
    ['several tools', (step, i) => ({ ...step, call: { ...step.call, tool: `type${i}` } })],
    [
      'other words',
      (step, i) => ({
        ...step,
        call: { ...step.call, words: [1, 2, 10 * i + 3, 10 * i + 4, 10 * i + 5] },
      }),
    ],
    ['an echo', (step) => ({ ...step, result: { ...step.result, echo: true } })],
    ['a quantity that moved', (step) => ({ ...step, progress: 'moved' })],
    ['fewer failures', (step) => ({ ...step, progress: 'falling' })],
    ['results that nobody saw', (step) => ({ ...step, result: { ...step.result, known: false } })],
    ['a shell', (step) => ({ ...step, call: { ...step.call, shell: true } })],
  ])('%s is not a loop of this kind', (_, change) =>
    expect(spokenAt(nearRepeat, attempts(5).map(change))).toEqual([]),
  );

  test('three tenths of their words in common are enough', () => {
    const sharing = (words: number[]) =>
      spokenAt(
        nearRepeat,
        Array.from({ length: 4 }, (_, i) =>
          ask(
            i,
            [1, 2, 3, ...words.map((word) => 100 * i + word)],
            { tool: 'type', verb: 'execute' },
            { size: 500 },
          ),
        ),
      );
    expect(sharing([11, 12, 13]).length).toBe(1);
    expect(sharing([11, 12, 13, 14]).length).toBe(0);
  });

  test('a successful write resets the count', () => {
    const steps = attempts(5);
    steps[2] = { call: { verb: 'write' }, progress: 'write' };
    expect(spokenAt(nearRepeat, steps)).toEqual([]);
  });
});

describe('parts of one file', () => {
  const part = (i: number, change: SeenStep = {}): SeenStep => ({
    ...change,
    call: { key: `k${i}`, tool: 'Read', target: 'file:a', ...change.call },
    result: { novelty: 0, ...change.result },
  });
  const parts = (count: number): SeenStep[] => Array.from({ length: count }, (_, i) => part(i));

  test('the fourth look after the first fires', () => {
    expect(spokenAt(nearRepeat, parts(6))).toEqual(['4 reread 4', '5 reread 5']);
    expect(evidenceOf(nearRepeat, parts(5)).at(-1)).toMatchObject({
      since: 1,
      cap: 'note',
      target: 'file:a',
      strength: 0.6,
    });
  });

  test('a look of which a tenth is new resets the count', () => {
    const with3rd = (novelty: number) =>
      spokenAt(
        nearRepeat,
        parts(6).map((step, i) => (i === 2 ? part(2, { result: { novelty } }) : step)),
      );
    expect(with3rd(0.09)).toEqual(['4 reread 4', '5 reread 5']);
    expect(with3rd(0.1)).toEqual([]);
  });

  test('so does progress', () =>
    expect(
      spokenAt(
        nearRepeat,
        parts(6).map((step, i) => (i === 2 ? { ...step, progress: 'novel' } : step)),
      ),
    ).toEqual([]));

  test('another file is counted separately', () => {
    expect(
      spokenAt(
        nearRepeat,
        parts(6).map((step, i) => (i === 2 ? part(2, { call: { target: 'file:b' } }) : step)),
      ),
    ).toEqual(['5 reread 4']);
  });

  test('the same part again and again does not count', () => {
    expect(
      spokenAt(
        nearRepeat,
        Array.from({ length: 6 }, () => part(1)),
      ),
    ).toEqual([]);
  });

  test('looks that are far apart are not a loop', () => {
    const spaced = (last: number) =>
      spokenAt(
        nearRepeat,
        parts(5).map((step, i) => ({ ...step, step: i < 4 ? i : last })),
      );
    expect(spaced(9)).toEqual(['4 reread 4']);
    expect(spaced(10)).toEqual([]);
  });
});

describe('the same lines written again', () => {
  const write = (
    i: number,
    target = 'file:a',
    line = 1,
    change: SeenStep = {},
    added = [1, 2],
  ): SeenStep => ({
    ...change,
    call: {
      key: `k${i}`,
      verb: 'write',
      target,
      targetLabel: `/repo/${target.slice(5)}.ts`,
      region: { after: 'same', hashes: [], added, lines: [line, line + 2] },
      ...change.call,
    },
    ...(change.result ? { result: change.result } : {}),
  });

  test('the third write to one place fires', () => {
    expect(
      spokenAt(
        nearRepeat,
        [0, 1, 2, 3].map((i) => write(i)),
      ),
    ).toEqual(['2 same-lines 3', '3 same-lines 4']);
    const said = evidenceOf(
      nearRepeat,
      [0, 1, 2].map((i) => write(i)),
    ).at(-1);
    expect(said).toMatchObject({
      since: 0,
      target: 'file:a',
      keys: ['k0', 'k1', 'k2'],
      strength: 0.7,
      facts: { tool: '/repo/a.ts' },
    });
    expect(said).not.toHaveProperty('cap');
  });

  test('a place may shift by twelve lines from write to write', () => {
    const at = (...lines: number[]) =>
      spokenAt(
        nearRepeat,
        lines.map((line, i) => write(i, 'file:a', line)),
      );
    expect(at(1, 13, 25)).toEqual(['2 same-lines 3']);
    expect(at(30, 18, 6)).toEqual(['2 same-lines 3']);
    expect(at(1, 14, 27)).toEqual([]);
  });

  test('within thirty steps', () => {
    const spaced = (last: number) =>
      spokenAt(
        nearRepeat,
        [0, 1, last].map((step, i) => write(i, 'file:a', 1, { step })),
      );
    expect(spaced(31)).toEqual(['2 same-lines 3']);
    expect(spaced(32)).toEqual([]);
  });

  test.each<[string, SeenStep]>([
    ['one telling line', write(1, 'file:a', 1, {}, [1])],
    [
      'a write that fails',
      write(1, 'file:a', 1, {
        result: {
          error: { class: 'e', kind: '', label: '', words: [], transient: false, refusal: null },
        },
      }),
    ],
    ['a write to nothing in particular', write(1, 'file:a', 1, { call: { target: null } })],
    [
      'other lines',
      write(1, 'file:a', 1, { call: { region: { after: 'other', hashes: [], added: [1, 2] } } }),
    ],
    ['lines that nobody knows', write(1, 'file:a', 1, { call: { region: null } })],
  ])('%s does not count', (_, odd) =>
    expect(spokenAt(nearRepeat, [write(0), odd, write(2)])).toEqual([]),
  );

  test('four files of one folder with the same lines fire with at most a note', () => {
    const files = (count: number, added?: number[]) =>
      Array.from({ length: count }, (_, i) => write(i, `file:${i}`, 1, {}, added));
    expect(spokenAt(nearRepeat, files(5, [1, 2, 3]))).toEqual(['3 same-file 4', '4 same-file 5']);
    expect(evidenceOf(nearRepeat, files(4, [1, 2, 3])).at(-1)).toMatchObject({
      cap: 'note',
      since: 0,
    });
    expect(evidenceOf(nearRepeat, files(4, [1, 2, 3])).at(-1)).not.toHaveProperty('target');
    expect(spokenAt(nearRepeat, files(6, [1, 2]))).toEqual([]);
    const elsewhere = files(5, [1, 2, 3]).map((step, i) => ({
      ...step,
      call: { ...step.call, targetLabel: `/repo/${i}/a.ts` },
    }));
    expect(spokenAt(nearRepeat, elsewhere)).toEqual([]);
  });

  test('with a fifth piece of text, the first is forgotten', () => {
    const other = (i: number) =>
      write(9 + i, 'file:a', 1, {
        call: { region: { after: `other${i}`, hashes: [], added: [1, 2] } },
      });
    const after = (count: number) =>
      spokenAt(nearRepeat, [
        write(0),
        write(1),
        ...Array.from({ length: count }, (_, i) => other(i)),
        write(2),
      ]);
    expect(after(3)).toEqual(['5 same-lines 3']);
    expect(after(4)).toEqual([]);
  });
});
