import { evidenceOf, type SeenStep, spokenAt } from '@unrut/test/detector-steps';
import { describe, expect, test } from 'vitest';
import { cycle } from './cycle/detector.ts';
import { duplicateBatch } from './duplicate-batch/detector.ts';
import { editRevert } from './edit-revert/detector.ts';
import { idleSpin } from './idle-spin/detector.ts';
import { nothingChanged } from './nothing-changed/detector.ts';
import { outputSignature } from './output-signature/detector.ts';
import { refusalDetector } from './refusals.ts';
import { sameIntent } from './same-intent/detector.ts';
import { stalePoll } from './stale-poll/detector.ts';
import { taskLoop } from './task-loop/detector.ts';

const times = <T>(count: number, make: (i: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i));
const ERROR = { class: 'e', kind: '', label: '', words: [], transient: false, refusal: null };

describe('cycle', () => {
  const lap = (period: number, count: number, change: SeenStep = {}): SeenStep[] =>
    times(count, (i) => ({
      call: { key: `k${i % period}`, label: `call ${i % period}`, ...change.call },
      result: { digest: `d${i % period}`, ...change.result },
    }));

  test.each<[number, number, string]>([
    [2, 6, '5 several-calls 3'],
    [3, 9, '8 several-calls 3'],
    [8, 24, '23 several-calls 3'],
    [9, 20, '19 several-calls 2'],
    [16, 34, '33 several-calls 2'],
  ])('of %d steps fires after %d', (period, count, said) => {
    expect(spokenAt(cycle, lap(period, count))).toEqual([said]);
  });

  test.each([
    [
      (file: string) => `Read /home/dev/a-long-name/shop/src/${file}.ts`,
      'Read …/a-long-name/shop/src/',
    ],
    [
      (file: string) => `npm run a-long-name:of-a-script -- ${file}`,
      'npm run a-long-name:of-a-scrip',
    ],
    [(file: string) => `Read ${file}.ts`, 'Read '],
  ])('names its steps by what tells them apart', (label, begins) => {
    const steps = times(6, (i) => ({
      call: { key: `k${i % 2}`, label: label(i % 2 ? 'b' : 'a') },
      result: { digest: `d${i % 2}` },
    }));
    const { calls } = evidenceOf(cycle, steps).at(-1)!.facts as { calls: string[] };
    for (const call of calls) expect(call.startsWith(begins) && call.length <= 32).toBe(true);
    if (begins.startsWith('Read'))
      expect(calls.map((call) => call.slice(-4))).toEqual(['a.ts', 'b.ts']);
  });

  test('of seventeen steps does not', () => expect(spokenAt(cycle, lap(17, 60))).toEqual([]));

  test('of one call needs several results', () => {
    const one = (period: number) =>
      lap(period, 6).map((step) => ({ ...step, call: { ...step.call, key: 'k' } }));
    expect(spokenAt(cycle, one(2))).toEqual(['5 one-call 3']);
    expect(spokenAt(cycle, one(1))).toEqual([]);
  });

  test('another result breaks it', () => {
    const steps = lap(2, 8);
    steps[2] = { ...steps[2]!, result: { digest: 'other' } };
    expect(spokenAt(cycle, steps)).toEqual([]);
  });

  test('reports where the first lap began, and the first step of each call', () => {
    const steps = [{ call: { key: 'x' } }, ...lap(2, 6)];
    expect(evidenceOf(cycle, steps).at(-1)).toEqual({
      variant: 'several-calls',
      count: 3,
      since: 1,
      keys: ['k0', 'k1'],
      equal: true,
      strength: 0.9,
      facts: { period: 2, calls: ['call 0', 'call 1'], firsts: { k0: 1, k1: 2 } },
    });
  });

  test.each<[string, SeenStep, boolean]>([
    ['a short receipt of an act', { call: { verb: 'execute' }, result: { size: 59 } }, false],
    ['a longer answer to an act', { call: { verb: 'execute' }, result: { size: 60 } }, true],
    [
      'a short answer of a shell',
      { call: { verb: 'execute', shell: true }, result: { size: 5 } },
      true,
    ],
    [
      'a short error of an act',
      { call: { verb: 'navigate' }, result: { size: 5, error: ERROR } },
      true,
    ],
    ['a short answer to a question', { call: { verb: 'read' }, result: { size: 5 } }, true],
    ['a result that nobody saw', { result: { known: false } }, false],
  ])('%s is evidence: %s', (_, change, known) => {
    const said = evidenceOf(cycle, lap(2, 6, change)).at(-1)!;
    expect([said.equal, said.strength, said.cap]).toEqual(
      known ? [true, 0.9, undefined] : [false, 0.5, 'note'],
    );
  });
});

describe('refusals', () => {
  const perTool = refusalDetector({
    name: 'a',
    refusal: 'arguments',
    perTool: true,
    what: () => '',
    moves: [],
  });
  const atAll = refusalDetector({
    name: 'a',
    refusal: 'tool',
    perTool: false,
    what: () => '',
    moves: [],
  });
  const refuse = (
    refusal: 'tool' | 'arguments',
    tool = 't',
    kind = 'e',
    change: SeenStep = {},
  ): SeenStep => ({
    ...change,
    call: { tool },
    result: { error: { ...ERROR, class: kind, refusal }, ...change.result },
  });
  const args = (tool = 't', kind = 'e') => refuse('arguments', tool, kind);

  test.each<[string, SeenStep[], string[]]>([
    ['the third speaks', [args(), args(), args(), args()], ['2 refused 3', '3 refused 4']],
    ['another tool counts by itself', [args(), args('u'), args(), args('u')], []],
    ['another reason begins again', [args(), args('t', 'f'), args(), args()], []],
    ['a success of the tool ends it', [args(), args(), { call: { tool: 't' } }, args()], []],
    [
      'a success of another does not',
      [args(), args(), { call: { tool: 'u' } }, args()],
      ['3 refused 3'],
    ],
    [
      'another error does not',
      [args(), args(), { call: { tool: 't' }, result: { error: ERROR } }, args()],
      ['3 refused 3'],
    ],
    ['another refusal does not count', [args(), args(), refuse('tool')], []],
  ])('of arguments: %s', (_, steps, said) => expect(spokenAt(perTool, steps)).toEqual(said));

  test.each<[string, SeenStep[], string[]]>([
    [
      'whatever the names are',
      [refuse('tool', 'a', 'x'), refuse('tool', 'b', 'y'), refuse('tool', 'c', 'z')],
      ['2 refused 3'],
    ],
    [
      'a success that brings nothing does not end it',
      [refuse('tool'), refuse('tool'), {}, refuse('tool')],
      ['3 refused 3'],
    ],
    ['progress does', [refuse('tool'), refuse('tool'), { progress: 'novel' }, refuse('tool')], []],
  ])('of tools: %s', (_, steps, said) => expect(spokenAt(atAll, steps)).toEqual(said));

  test('are equal if the last was the same call each time', () => {
    const last = (run: number) =>
      evidenceOf(perTool, [
        args(),
        args(),
        refuse('arguments', 't', 'e', { result: { sameInARow: run } }),
      ]).at(-1);
    expect([last(2)?.equal, last(3)?.equal]).toEqual([false, true]);
    expect(last(3)?.keys).toEqual(['refused:a:t', 'error:e', 'k']);
  });
});

describe('duplicate-batch', () => {
  const call = (key: string, batch: string, change: SeenStep = {}): SeenStep => ({
    batch,
    call: { key, ...change.call },
    result: { sameInARow: 9, ...change.result },
  });
  const twice = (key: string, batch: string): SeenStep[] => [call(key, batch), call(key, batch)];

  test.each<[string, SeenStep[], string[]]>([
    [
      'the second response with it speaks',
      [...twice('a', '1'), ...twice('a', '2'), ...twice('a', '3')],
      ['3 same-call 2', '5 same-call 3'],
    ],
    ['one response does not', [...twice('a', '1'), call('a', '1')], []],
    [
      'every further copy speaks',
      [...twice('a', '1'), ...twice('a', '2'), call('a', '2')],
      ['3 same-call 2', '4 same-call 2'],
    ],
    ['another call does not count', [...twice('a', '1'), ...twice('b', '2')], []],
    ['a response without it ends it', [...twice('a', '1'), call('a', '2'), ...twice('a', '3')], []],
    [
      'two doubled calls of one response count once',
      [...twice('a', '1'), ...twice('b', '1'), ...twice('a', '2')],
      ['5 same-call 2'],
    ],
  ])('%s', (_, steps, said) => expect(spokenAt(duplicateBatch, steps)).toEqual(said));

  test('reports its first step, its call, and whether the results are known to be equal', () => {
    const steps = [
      ...twice('a', '1'),
      call('a', '2'),
      call('a', '2', { call: { target: 'file:x' }, result: { sameInARow: 3 } }),
    ];
    expect(evidenceOf(duplicateBatch, steps).at(-1)).toMatchObject({
      since: 1,
      keys: ['a'],
      target: 'file:x',
      equal: true,
      strength: 0.8,
    });
    steps[3] = call('a', '2', { result: { sameInARow: 2 } });
    expect(evidenceOf(duplicateBatch, steps).at(-1)).toMatchObject({ equal: false });
    steps[3] = call('a', '2', { result: { known: false } });
    expect(evidenceOf(duplicateBatch, steps).at(-1)).toMatchObject({ equal: false });
    expect(evidenceOf(duplicateBatch, steps).at(-1)).not.toHaveProperty('target');
  });
});

describe('same-intent', () => {
  const because = (words: number[], change: SeenStep = {}): SeenStep => ({
    ...change,
    text: {
      channel: 'answer',
      grams: '',
      paragraphs: [],
      message: { words: 9, key: 1, shape: 1, trigrams: [], vocabulary: words, references: [] },
      reportsLoop: null,
    },
    call: { tool: 'click', verb: 'execute', target: 'element:x', ...change.call },
  });
  const tries = (count: number, change: SeenStep = {}) =>
    times(count, (i) => because([1, 2, 3, 10 * i + 4], change));

  test('the third time for the same reason fires', () => {
    expect(spokenAt(sameIntent, tries(4))).toEqual(['2 nothing-new 3', '3 nothing-new 4']);
    expect(evidenceOf(sameIntent, tries(3)).at(-1)).toMatchObject({
      since: 0,
      target: 'element:x',
      strength: 0.7,
      keys: ['k'],
    });
  });

  test.each<[string, (step: SeenStep, i: number) => SeenStep, string[]]>([
    ['without a reason', (step) => ({ ...step, text: undefined }), []],
    ['for other reasons', (_, i) => because([10 * i + 1, 10 * i + 2]), []],
    [
      'to other things',
      (step, i) => ({ ...step, call: { ...step.call, target: `element:${i}` } }),
      [],
    ],
    ['with other tools', (step, i) => ({ ...step, call: { ...step.call, tool: `t${i}` } }), []],
    ['with progress each time', (step) => ({ ...step, progress: 'screen' }), []],
    [
      'with progress the first time',
      (step, i) => (i === 0 ? { ...step, progress: 'screen' } : step),
      ['3 nothing-new 3'],
    ],
    [
      'a look whose answer nobody saw',
      (step) => ({ ...step, call: { ...step.call, verb: 'read' }, result: { known: false } }),
      [],
    ],
    [
      'an act whose answer nobody saw',
      (step) => ({ ...step, result: { known: false } }),
      ['3 no-effect-known 4'],
    ],
    ['on other screens', (step, i) => ({ ...step, screen: [100 * i + 1, 100 * i + 2] }), []],
    [
      'on one screen',
      (step) => ({ ...step, screen: [1, 2] }),
      ['2 nothing-new 3', '3 nothing-new 4'],
    ],
    [
      'on a screen that was described once',
      (step, i) => (i === 0 ? { ...step, screen: [1, 2] } : step),
      ['2 nothing-new 3', '3 nothing-new 4'],
    ],
  ])('%s', (_, change, said) => expect(spokenAt(sameIntent, tries(4).map(change))).toEqual(said));

  test('within thirteen calls', () => {
    const other = (i: number): SeenStep => ({
      call: { tool: `other${i}`, target: null, key: `o${i}` },
    });
    const after = (count: number) =>
      spokenAt(sameIntent, [...tries(2), ...times(count, other), because([1, 2, 3, 9])]).length;
    expect([after(10), after(11)]).toEqual([1, 0]);
  });

  test('a call without a target is the same if its arguments are', () => {
    const calls = (key: (i: number) => string) =>
      spokenAt(
        sameIntent,
        tries(3, {}).map((step, i) => ({
          ...step,
          call: { ...step.call, target: null, key: key(i) },
        })),
      );
    expect(calls(() => 'k')).toEqual(['2 nothing-new 3']);
    expect(calls((i) => `k${i}`)).toEqual([]);
  });
});

describe('stale-poll', () => {
  const poll = (i: number, change: SeenStep = {}): SeenStep => ({
    neutral: 'poll',
    at: 1000 * i,
    ...change,
    result: { sameInARow: i + 1, ...change.result },
  });

  test('the tenth fires, or the third after ten minutes', () => {
    expect(
      spokenAt(
        stalePoll,
        times(11, (i) => poll(i)),
      ),
    ).toEqual(['9 often 10', '10 often 11']);
    expect(
      spokenAt(
        stalePoll,
        times(3, (i) => poll(i, { at: 300_000 * i })),
      ),
    ).toEqual(['2 long 3']);
    expect(
      spokenAt(
        stalePoll,
        times(3, (i) => poll(i, { at: 299_000 * i })),
      ),
    ).toEqual([]);
    expect(
      spokenAt(
        stalePoll,
        times(2, (i) => poll(i, { at: 900_000 * i })),
      ),
    ).toEqual([]);
  });

  test('another answer resets the count, and other calls do not count', () => {
    expect(
      spokenAt(
        stalePoll,
        times(10, (i) => poll(i, i === 4 ? { result: { sameInARow: 1 } } : {})),
      ),
    ).toEqual([]);
    expect(
      spokenAt(
        stalePoll,
        times(11, (i) => poll(i, i === 4 ? { neutral: null } : {})),
      ),
    ).toEqual(['10 often 10']);
  });

  test('reports the minutes', () => {
    const said = evidenceOf(
      stalePoll,
      times(4, (i) => poll(i, { at: 220_000 * i })),
    ).at(-1)!;
    expect(said.facts.minutes).toBe(11);
    const wide = times(12, (i) => poll(i, { at: 601_000 * i }));
    expect(spokenAt(stalePoll, wide)).toEqual([]);
    const worded = (minutes: number) =>
      stalePoll.explain({ ...said, facts: { call: 'x', minutes } });
    expect(worded(0)).toContain('in under a minute');
    expect(worded(1)).toContain('in a minute');
    expect(worded(2)).toContain('in 2 minutes');
  });
});

describe('task-loop', () => {
  const attempt = (task: string, change: object = {}, at = 0): SeenStep => ({
    at,
    task: {
      key: task,
      label: task,
      status: 'open',
      blockers: [],
      work: [],
      named: [],
      waits: false,
      risky: false,
      ...change,
    },
  });

  test.each<[string, SeenStep[], string[]]>([
    [
      'three attempts without anything',
      times(4, () => attempt('a')),
      ['2 no_progress_repeat 3', '3 no_progress_repeat 4'],
    ],
    [
      'three with the same blockers',
      times(3, () => attempt('a', { blockers: [7] })),
      ['2 blocked_task_spin 3'],
    ],
    ['blockers that change', times(3, (i) => attempt('a', { blockers: [i] })), []],
    [
      'three that found it done',
      times(3, () => attempt('a', { status: 'done' })),
      ['2 completed_task_revisit 3'],
    ],
    ['new work', times(4, (i) => attempt('a', { work: [i] })), []],
    ['the same work', times(3, () => attempt('a', { work: [1] })), ['2 no_progress_repeat 3']],
    [
      'work that was done before',
      [
        attempt('a', { work: [1] }),
        attempt('a', { work: [] }),
        attempt('a', { work: [1] }),
        attempt('a', { work: [] }),
      ],
      ['3 no_progress_repeat 3'],
    ],
    ['a new status', [attempt('a'), attempt('a'), attempt('a', { status: 'blocked' })], []],
    [
      'two tasks in turn',
      times(6, (i) => attempt(i % 2 ? 'a' : 'b')),
      ['4 no_progress_repeat 3', '5 task_cycle 3'],
    ],
    [
      'five tasks in turn',
      times(15, (i) => attempt(`t${i % 5}`)),
      [...[10, 11, 12, 13].map((at) => `${at} no_progress_repeat 3`), '14 task_cycle 3'],
    ],
    ['six tasks in turn', times(12, (i) => attempt(`t${i % 6}`)), []],
    [
      'two tasks in turn, with new work',
      times(8, (i) => attempt(i % 2 ? 'a' : 'b', { work: [i] })),
      [],
    ],
  ])('%s', (_, steps, said) => expect(spokenAt(taskLoop, steps)).toEqual(said));

  test('within an hour', () => {
    const last = (at: number) =>
      spokenAt(taskLoop, [attempt('a'), attempt('a'), attempt('a', {}, at)]).length;
    expect([last(3_600_000), last(3_600_001)]).toEqual([1, 0]);
  });

  test('reports its first step and the tasks of the last lap', () => {
    const said = evidenceOf(
      taskLoop,
      times(6, (i) => attempt(i % 2 ? 'a' : 'b')),
    ).at(-1);
    expect(said).toMatchObject({
      since: 0,
      keys: ['b', 'a'],
      facts: { tasks: 2, named: ['b', 'a'], task: 'a', status: 'open' },
    });
  });
});

describe('edit-revert', () => {
  const write = (region: object, change: SeenStep = {}): SeenStep => ({
    ...change,
    call: { verb: 'write', target: 'file:a', region: { hashes: [], ...region }, ...change.call },
  });
  const content = (after: string, change: SeenStep = {}) => write({ after }, change);
  const hunk = (before: string, after: string) => write({ before, after });

  test.each<[string, SeenStep[], string[]]>([
    [
      'the second return speaks',
      ['a', 'b', 'a', 'b'].map((each) => content(each)),
      ['3 content 2'],
    ],
    [
      'to write the same again is no return',
      ['a', 'b', 'b', 'a', 'a'].map((each) => content(each)),
      [],
    ],
    [
      'a hunk that is undone and done again',
      [hunk('a', 'b'), hunk('b', 'a'), hunk('a', 'b')],
      ['2 hunk 2'],
    ],
    [
      'many hunks that are undone once',
      [hunk('a', 'b'), hunk('c', 'd'), hunk('b', 'a'), hunk('d', 'c')],
      [],
    ],
    ['a hunk that changes nothing', [hunk('a', 'a'), hunk('a', 'a'), hunk('a', 'a')], []],
    [
      'another file',
      [
        content('a'),
        content('b', { call: { target: 'file:b' } }),
        content('a', { call: { target: 'file:b' } }),
        content('b'),
      ],
      [],
    ],
    [
      'a write that fails',
      [content('a'), content('b'), content('a', { result: { error: ERROR } }), content('b')],
      [],
    ],
    [
      'a look',
      [content('a'), content('b'), content('a', { call: { verb: 'read' } }), content('b')],
      [],
    ],
    [
      'what the host says was left',
      ['a', 'b', 'a', 'b'].map((after, i) => ({ ...hunk(`x${i}`, `y${i}`), after })),
      ['3 content 2'],
    ],
    [
      'a write to nothing in particular',
      times(6, (i) => content(i % 2 ? 'a' : 'b', { call: { target: null } })),
      [],
    ],
  ])('%s', (_, steps, said) => expect(spokenAt(editRevert, steps)).toEqual(said));

  test('ten versions are kept', () => {
    const after = (count: number) =>
      spokenAt(editRevert, [
        content('a'),
        content('b'),
        content('a'),
        ...times(count, (i) => content(`c${i}`)),
        content('b'),
      ]).length;
    expect([after(8), after(9)]).toEqual([1, 0]);
  });
});

describe('idle-spin', () => {
  const tick = (key: string, change: SeenStep = {}): SeenStep => ({
    type: 'idle',
    silence: 5000,
    idle: { key, label: 'why.', isEmpty: false },
    ...change,
  });
  const compacted: SeenStep = { type: 'context-compacted', silence: 99_000 };

  test.each<[string, SeenStep[], string[]]>([
    ['the third tick speaks', times(4, () => tick('a')), ['2 no-back-off 3', '3 no-back-off 4']],
    ['another reason begins again', [tick('a'), tick('a'), tick('b'), tick('a')], []],
    ['a pause begins again', [tick('a'), tick('a'), tick('a', { silence: 25_000 }), tick('a')], []],
    [
      'a short one does not',
      [tick('a'), tick('a'), tick('a', { silence: 24_999 })],
      ['2 no-back-off 3'],
    ],
    ['work ends it', [tick('a'), tick('a'), {}, tick('a')], []],
    [
      'there is no task at all',
      times(3, () => tick('a', { idle: { key: 'a', label: '', isEmpty: true } })),
      ['2 empty-roadmap 3'],
    ],
    ['compacted three times', [compacted, compacted, compacted], ['2 compacted 3']],
  ])('%s', (_, steps, said) => expect(spokenAt(idleSpin, steps)).toEqual(said));

  test('says the reason once, without its full stop', () => {
    const said = evidenceOf(
      idleSpin,
      times(3, () => tick('a')),
    ).at(-1)!;
    expect(idleSpin.explain(said)).toContain('(why)');
    expect(said).toMatchObject({ keys: ['a'], equal: true, strength: 0.9, since: 0 });
  });
});

describe('iterations', () => {
  const output = (
    signature: string,
    change: object = {},
    progress: SeenStep['progress'] = null,
  ): SeenStep => ({
    type: 'output-finished',
    progress,
    output: { signature, key: `output:${signature}`, text: 'x', failures: null, ...change },
  });

  test.each<[string, SeenStep[], string[]]>([
    [
      'three that move nothing and say nothing new',
      times(4, () => output('a', { moved: false })),
      ['2 silent 3', '3 silent 4'],
    ],
    ['three that say nothing', times(3, () => output('', { moved: false })), ['2 silent 3']],
    [
      'five that move nothing, whatever they say',
      times(5, (i) => output(`a${i}`, { moved: false })),
      ['4 talk 5'],
    ],
    [
      'one that moves something',
      [
        ...times(2, () => output('a', { moved: false })),
        output('a', { moved: true }),
        output('a', { moved: false }),
      ],
      [],
    ],
    [
      'one of which nobody knows',
      [
        ...times(2, () => output('a', { moved: false })),
        output('a'),
        output('a', { moved: false }),
      ],
      ['3 silent 3'],
    ],
  ])('nothing changed: %s', (_, steps, said) =>
    expect(spokenAt(nothingChanged, steps)).toEqual(said),
  );

  test.each<[string, SeenStep[], string[]]>([
    ['three with one signature', times(4, () => output('error:a')), ['2 error 3', '3 error 4']],
    [
      'another between',
      [output('error:a'), output('error:a'), output('error:b'), output('error:a')],
      [],
    ],
    [
      'an empty one between',
      [output('error:a'), output('error:a'), output(''), output('error:a')],
      ['3 error 3'],
    ],
    [
      'fewer failures',
      [
        output('error:a', { failures: 3 }),
        output('error:a', { failures: 3 }),
        output('error:a', { failures: 2 }),
      ],
      [],
    ],
    [
      'more failures',
      [
        output('error:a', { failures: 3 }),
        output('error:a', { failures: 3 }),
        output('error:a', { failures: 4 }),
      ],
      ['2 error 3'],
    ],
    [
      'progress',
      [output('error:a'), output('error:a'), output('error:a', {}, 'moved'), output('error:a')],
      [],
    ],
  ])('one signature: %s', (_, steps, said) =>
    expect(spokenAt(outputSignature, steps)).toEqual(said),
  );

  test('five signatures are kept as evidence', () => {
    const said = evidenceOf(
      outputSignature,
      ['text:x', 'text:y', 'file:z', 'file:z', 'file:z', 'file:z'].map((each) => output(each)),
    ).at(-1)!;
    expect(said).toMatchObject({
      variant: 'files',
      since: 2,
      count: 4,
      strength: 0.8,
      facts: { first: 2, history: ['text:y', 'file:z', 'file:z', 'file:z', 'file:z'] },
    });
  });
});
