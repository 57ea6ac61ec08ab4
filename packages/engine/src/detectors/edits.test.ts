import { evidenceOf, type SeenStep, spokenAt } from '@unrut/test/detector-steps';
import { describe, expect, test } from 'vitest';
import type { Region } from '../prints.ts';
import { editRegion } from './edit-region/detector.ts';
import { editPlaceOf, joined, ordinal, placesOverlap } from './edits.ts';
import { repeatedCall } from './repeated-call/detector.ts';

const region = (change: Partial<Region>): Region => ({ hashes: [], ...change });
const overlaps = (earlier: Partial<Region>, later: Partial<Region>): boolean =>
  placesOverlap(editPlaceOf(region(earlier)), editPlaceOf(region(later)));
const ERROR = { class: 'e', kind: '', label: '', words: [], transient: false, refusal: null };

describe('two writes are at the same place', () => {
  test.each<[string, Partial<Region>, Partial<Region>, boolean]>([
    ['if both wrote the whole file', {}, {}, true],
    ['not if only one did', {}, { lines: [1, 2] }, false],
    ['not if only the other did', { lines: [1, 2] }, {}, false],
    [
      'if the later changes what the earlier brought',
      { hashes: [1], added: [1] },
      { hashes: [1, 2], added: [2] },
      true,
    ],
    [
      'not if only the lines around are the same',
      { hashes: [7, 1], added: [1] },
      { hashes: [7, 2], added: [2] },
      false,
    ],
    [
      'not if they took away the same line',
      { hashes: [1, 5], added: [1], gone: [5], lines: [1, 9] },
      { hashes: [2, 5], added: [2], gone: [5], lines: [1, 9] },
      false,
    ],
    [
      'if both put in the same without replacing anything',
      { hashes: [1], added: [1] },
      { hashes: [1], added: [1] },
      true,
    ],
    ['if their lines overlap', { lines: [1, 5] }, { lines: [5, 9] }, true],
    ['in whatever order', { lines: [5, 9] }, { lines: [1, 5] }, true],
    ['not if they only meet', { lines: [1, 5] }, { lines: [6, 9] }, false],
    ['nor the other way round', { lines: [6, 9] }, { lines: [1, 5] }, false],
    ['not if only one knows its lines', { lines: [1, 5] }, { hashes: [3] }, false],
  ])('%s', (_, earlier, later, expected) => expect(overlaps(earlier, later)).toBe(expected));

  test('a chain of edits stays one place', () => {
    const first = editPlaceOf(region({ hashes: [1], added: [1], lines: [1, 2] }));
    const second = editPlaceOf(region({ hashes: [1, 2], added: [2], gone: [1] }));
    expect(joined(first, second)).toEqual({
      lines: [1, 2],
      old: [1],
      added: [2],
      gone: [1],
      whole: false,
    });
    expect(joined(second, first)).toEqual({
      lines: [1, 2],
      old: [],
      added: [1, 2],
      gone: [],
      whole: false,
    });
  });

  test('eight lines of each kind are kept', () => {
    const many = Array.from({ length: 12 }, (_, i) => i);
    const place = editPlaceOf(region({ hashes: [...many, 50], added: many, gone: many }));
    expect([place.added.length, place.gone.length, place.old]).toEqual([8, 8, [50]]);
    expect(editPlaceOf(null)).toEqual({ lines: null, old: [], added: [], gone: [], whole: false });
  });
});

test.each([
  [1, '1st'],
  [2, '2nd'],
  [3, '3rd'],
  [4, '4th'],
  [10, '10th'],
  [11, '11th'],
  [12, '12th'],
  [13, '13th'],
  [14, '14th'],
  [21, '21st'],
  [111, '111th'],
  [122, '122nd'],
])('%d is %s', (number, words) => expect(ordinal(number)).toBe(words));

describe('edit-region', () => {
  const edit = (change: SeenStep = {}): SeenStep => ({
    ...change,
    call: {
      verb: 'write',
      patch: true,
      target: 'file:a',
      targetLabel: 'a.ts',
      region: region({ lines: [1, 5] }),
      ...change.call,
    },
    ...(change.result ? { result: change.result } : {}),
  });
  const check = (digest: string | null, change: SeenStep = {}): SeenStep => ({
    ...change,
    call: { verb: 'verify', key: 'test', label: 'npm test', ...change.call },
    result: { digest: digest ?? 'fine', error: digest === null ? null : ERROR },
  });
  const look = (change: object = {}): SeenStep => ({
    call: { verb: 'read', look: true, target: 'file:a', ...change },
  });
  const says = (...steps: SeenStep[]): string[] => spokenAt(editRegion, steps);

  test('the third edit of one place without a look fires', () => {
    expect(says(edit(), edit(), edit(), edit())).toEqual(['2 unread 3', '3 unread 4']);
    expect(evidenceOf(editRegion, [edit(), edit(), edit()]).at(-1)).toMatchObject({
      since: 0,
      cap: 'note',
      strength: 0.5,
      keys: ['region:file:a'],
      target: 'file:a',
    });
  });

  test.each<[string, SeenStep, boolean]>([
    ['a look at the file', look(), false],
    ['a look at another file', look({ target: 'file:b' }), true],
    ['a look at everything', look({ target: null, wide: true }), false],
    ['a look that fails', { ...look(), result: { error: ERROR } }, true],
    ['a check', check(null), false],
    ['an edit elsewhere in it', edit({ call: { region: region({ lines: [50, 60] }) } }), true],
    ['an edit of another file', edit({ call: { target: 'file:b' } }), true],
    ['an edit of a widget', edit({ call: { target: 'widget:b' } }), true],
  ])('%s in between', (_, odd, speaks) =>
    expect(says(edit(), edit(), odd, edit())).toHaveLength(speaks ? 1 : 0),
  );

  test('an edit whose result shows the content is a look', () => {
    expect(says(edit(), edit(), edit({ result: { size: 400 } }), edit())).toEqual([]);
    expect(says(edit(), edit(), edit({ result: { size: 399 } }))).toEqual(['2 unread 3']);
  });

  const round = (digest: string): SeenStep[] => [edit(), check(digest)];
  test('the same failure after each of three edits fires', () => {
    expect(says(...round('x'), ...round('x'), ...round('x'))).toEqual(['5 same-failure 3']);
    expect(
      evidenceOf(editRegion, [...round('x'), ...round('x'), ...round('x')]).at(-1),
    ).toMatchObject({
      since: 0,
      strength: 0.7,
      keys: ['region:file:a', 'test'],
      facts: { file: 'a.ts', check: 'npm test' },
    });
  });

  test.each<[string, SeenStep[], number]>([
    [
      'another failure begins again',
      [...round('x'), ...round('x'), ...round('y'), ...round('y')],
      0,
    ],
    [
      'a success begins again',
      [...round('x'), ...round('x'), edit(), check(null), ...round('x')],
      0,
    ],
    [
      'fewer failures begin again',
      [...round('x'), ...round('x'), edit(), check('x', { progress: 'falling' })],
      0,
    ],
    [
      'a check without an edit before it does not count',
      [...round('x'), check('x'), ...round('x')],
      0,
    ],
    [
      'another place does not count',
      [
        ...round('x'),
        ...round('x'),
        edit({ call: { region: region({ lines: [50, 60] }) } }),
        check('x'),
      ],
      0,
    ],
    ['from another failure on', [...round('x'), ...round('y'), ...round('y'), ...round('y')], 1],
  ])('%s', (_, steps, speaks) => expect(says(...steps)).toHaveLength(speaks));
});

describe('repeated-call', () => {
  const call = (run: number, change: SeenStep = {}): SeenStep => ({
    ...change,
    call: { ...change.call },
    result: { sameInARow: run, size: 200, ...change.result },
  });
  const other = (change: SeenStep = {}): SeenStep => ({
    ...change,
    call: { key: 'other', ...change.call },
  });
  const says = (...steps: SeenStep[]): string[] => spokenAt(repeatedCall, steps);

  test.each<[string, SeenStep, string[]]>([
    ['a look elsewhere', other(), ['3 recurring 3']],
    ['something new elsewhere', other({ progress: 'novel' }), ['3 recurring 3']],
    ['a write elsewhere that went forward', other({ progress: 'write' }), []],
    ['a call that may change anything', other({ call: { effect: 'any' } }), []],
    [
      'a call that may change anything, but failed',
      other({ call: { effect: 'any' }, result: { error: ERROR } }),
      ['3 recurring 3'],
    ],
  ])('%s in between', (_, odd, said) => expect(says(call(1), call(2), odd, call(3))).toEqual(said));

  test('without a recorded result it takes one more call', () => {
    const unseen = (run: number) => call(run, { result: { known: false } });
    expect(says(unseen(1), unseen(2), unseen(3), unseen(4))).toEqual(['3 consecutive 4']);
    expect(evidenceOf(repeatedCall, [1, 2, 3, 4].map(unseen)).at(-1)).toMatchObject({
      cap: 'note',
      equal: false,
      strength: 0.5,
    });
  });

  test('a repeated write does not take one more, even without a recorded result', () => {
    const write = (run: number) => call(run, { call: { verb: 'write' }, result: { known: false } });
    expect(says(write(1), write(2), write(3))).toEqual(['2 consecutive 3']);
  });

  test.each([
    [28, ['32 recurring 4']],
    [29, []],
  ])('a call without a recorded result is forgotten after %d other steps', (steps, said) => {
    const unseen = (run: number) => call(run, { result: { known: false } });
    const others = Array.from({ length: steps }, () =>
      other({ result: { known: false, sameInARow: 1 } }),
    );
    expect(
      says(
        unseen(1),
        unseen(2),
        unseen(3),
        ...others,
        other({ result: { sameInARow: 1 } }),
        unseen(4),
      ),
    ).toEqual(said);
  });

  test('progress after an action restarts its count', () => {
    const act = (run: number) => call(run, { call: { verb: 'execute' } });
    expect(says(act(1), act(2), other({ progress: 'novel' }), act(3))).toEqual([]);
    expect(says(act(1), act(2), other(), act(3))).toEqual(['3 recurring 3']);
  });

  test('a success does not repeat earlier failures', () => {
    const fail = (run: number) => call(run, { result: { error: ERROR } });
    expect(says(fail(1), fail(2), fail(3))).toEqual(['2 consecutive 3']);
    expect(says(fail(1), fail(2), call(3), call(4))).toEqual([]);
  });

  test('the same write again is a repeat, whatever its result shows', () => {
    const write = (change: SeenStep = {}) =>
      call(1, { ...change, call: { verb: 'write', target: 'file:a', ...change.call } });
    expect(says(write(), write(), write())).toEqual(['2 consecutive 3']);
    expect(evidenceOf(repeatedCall, [write(), write(), write()]).at(-1)).toMatchObject({
      equal: false,
      facts: { written: true },
    });
    expect(
      says(
        write({ progress: 'write' }),
        write({ progress: 'write' }),
        write({ progress: 'write' }),
      ),
    ).toEqual([]);
    const widget = (shell: boolean) => write({ call: { target: 'widget:a', shell } });
    expect(says(widget(false), widget(false), widget(false))).toEqual(['2 consecutive 3']);
    expect(says(widget(true), widget(true), widget(true))).toEqual([]);
  });

  test.each<[string, SeenStep, string | undefined]>([
    ['a short receipt of an act', { call: { verb: 'execute' }, result: { size: 59 } }, 'note'],
    ['a longer answer to an act', { call: { verb: 'execute' }, result: { size: 60 } }, undefined],
    [
      'a short answer of a shell',
      { call: { verb: 'execute', shell: true }, result: { size: 5 } },
      undefined,
    ],
    [
      'a short error of an act',
      { call: { verb: 'execute' }, result: { size: 5, error: ERROR } },
      undefined,
    ],
    ['a short answer to a question', { result: { size: 5 } }, undefined],
  ])('%s', (_, change, cap) =>
    expect(
      evidenceOf(
        repeatedCall,
        [1, 2, 3].map((run) => call(run, change)),
      ).at(-1)?.cap,
    ).toBe(cap),
  );

  test('between steps with progress it is capped at a note', () => {
    const [, , , last] = evidenceOf(repeatedCall, [
      call(1),
      call(2),
      other({ progress: 'novel' }),
      call(3),
    ]);
    expect(last?.cap).toBe('note');
  });

  test('reports whether a tool of unknown effect was called in between', () => {
    const unsure = (verb: 'read' | 'unknown') =>
      evidenceOf(repeatedCall, [call(1), other({ call: { verb } }), call(2), call(3)]).at(-1)?.facts
        .unsure;
    expect([unsure('read'), unsure('unknown')]).toEqual([false, true]);
  });

  test('with a thirty-third call, the first is forgotten', () => {
    const after = (count: number) =>
      says(
        call(1),
        call(2),
        ...Array.from({ length: count }, (_, i) => other({ call: { key: `o${i}` } })),
        call(3),
      ).length;
    expect([after(31), after(32)]).toEqual([1, 0]);
  });
});
