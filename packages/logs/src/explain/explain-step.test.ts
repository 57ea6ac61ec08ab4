import { noColours } from '@unrut/ledger/text/paint';
import { runOf } from '@unrut/test/explain-run';
import { describe, expect, test } from 'vitest';
import { explainStep } from './explain-step.ts';
import { explainedStepText } from './step-text.ts';

const ORDER = '"Order 7 was shipped on Monday and is on its way."';
const stuck = [
  `lookup_order {"order":7} -> ${ORDER} x2`,
  `lookup_order {"order":8} -> ${ORDER}`,
  `lookup_order {"order":7} -> ${ORDER} x2`,
];

describe('a step', () => {
  test('is shown with the earlier steps that were equal to it, and in what', () => {
    const { equal } = explainStep(runOf(...stuck), 4);
    expect(equal).toEqual([
      { in: 'call', what: 'lookup_order', steps: [0, 1, 3] },
      { in: 'result', what: '48 characters', steps: [0, 1, 2, 3] },
    ]);
  });

  test('is shown with its world and the rule that decided it', () => {
    const poll = 'Bash {"command":"gh run view 7"} -> "in progress"';
    const textOf = (...lines: string[]): string =>
      explainedStepText(explainStep(runOf(...lines), 0)!, { paint: noColours, width: 200 }).join(
        '\n',
      );
    expect(textOf(poll)).toMatch(/World +open.*\(answer-says-waiting\)|World +open.*\(state-of/);
    expect(textOf(stuck[0]!)).toMatch(/World +closed/);
  });

  test('is shown with similar steps, and where they differ', () => {
    const { near } = explainStep(runOf(...stuck), 2);
    expect(near[0]).toMatchObject({
      step: 1,
      alike: 1,
      differs: [{ name: 'order', before: '7', after: '8', counts: true }],
    });
  });

  test('is shown with its signals, its plan, and what would have kept them quiet', () => {
    const { signals, plans, settings } = explainStep(runOf(...stuck), 3);
    expect(signals).toMatchObject([{ detector: 'repeated-call', variant: 'recurring', count: 3 }]);
    expect(plans).toMatchObject([{ step: 3, rung: 'note' }]);
    expect(settings![0]).toMatchObject({ options: { 'repeated-call': { threshold: 4 } } });
  });

  test('without a signal is shown with the threshold that would have fired', () => {
    const { signals, settings } = explainStep(runOf(...stuck), 1);
    expect(signals).toEqual([]);
    expect(settings).toMatchObject([
      {
        options: { 'repeated-call': { threshold: 2 } },
        now: { 'repeated-call': { threshold: 3 } },
        effect: '`lookup_order` returned the same result 2 times',
      },
    ]);
  });

  test('that made progress is shown with what it cleared', () => {
    const run = runOf(
      'Bash {"command":"npm test"} -> exit 1 "FAIL test/a.test.ts > adds\\nTests  1 failed | 24 passed (25)" x2',
      'Edit {"file_path":"/repo/a.ts","old_string":"a - b","new_string":"a + b"} -> "The file has been updated."',
      'Bash {"command":"npm test"} -> exit 1 "FAIL test/a.test.ts > adds\\nTests  1 failed | 24 passed (25)"',
    );
    const { step, cleared, signals } = explainStep(run, 2);
    expect(step).toMatchObject({ progress: 'write', brought: 'made a change' });
    expect(signals).toEqual([]);
    expect(cleared).toContainEqual({ detector: 'repeated-call', step: 3 });
    expect(explainStep(run, 1).cleared).toEqual([]);
    const goesOn = runOf(
      `lookup_order {"order":7} -> ${ORDER}`,
      'Read {"file_path":"/repo/a.ts"} -> "export const limit = 10;"',
      `lookup_order {"order":7} -> ${ORDER} x2`,
    );
    expect(explainStep(goesOn, 1)).toMatchObject({ step: { progress: 'first-look' }, cleared: [] });
    expect(explainStep(goesOn, 3).signals).toMatchObject([{ detector: 'repeated-call' }]);
    expect(explainStep(run, 3).between).toEqual([
      '1 step made progress or could have changed something, such as step 2, Edit /repo/a.ts (made a change)',
    ]);
  });

  test('shows that the user spoke since the last equal one', () => {
    const run = runOf(
      `lookup_order {"order":7} -> ${ORDER} x2`,
      'user "And now?"',
      `lookup_order {"order":7} -> ${ORDER} x2`,
    );
    expect(explainStep(run, 3).between).toEqual([
      'the user spoke at step 2, which resets all counts',
    ]);
    expect(explainStep(run, 4).between).toEqual([]);
  });

  test('is shown with what differs from its last result, and what of that is noise', () => {
    const run = runOf(
      'get_build {"id":7} -> "[12:00:0$i] pid 41$i built $i of 90 modules in 3$ims" x2',
    );
    const { differs } = explainStep(run, 1);
    expect(differs?.result).toEqual([
      { before: 'built 1 of', after: 'built 2 of', as: 'a quantity', counts: true },
      { before: '12:00:01', after: '12:00:02', as: 'time', counts: false },
      { before: 'pid 411 built', after: 'pid 412 built', as: 'noise', counts: false },
    ]);
  });

  test('that is a message or the user is shown too', () => {
    const run = runOf(
      'say "I will look at the tests."',
      'user "Please do."',
      'say "I will look at the tests."',
    );
    expect(explainStep(run, 0).step.what).toBe('says “I will look at the tests.”');
    expect(explainStep(run, 1).step.what).toBe('the user speaks');
    expect(explainStep(run, 2).equal).toEqual([{ in: 'words', what: '6 words', steps: [0] }]);
  });

  test('that is not there is refused with the range', () => {
    expect(() => explainStep(runOf(...stuck), 5)).toThrow(
      '--step takes a step of the run, 0 to 4; got 5.',
    );
  });
});

describe('the text of a step', () => {
  const textAt = (number: number): string =>
    explainedStepText(explainStep(runOf(...stuck), number), { paint: noColours, width: 100 }).join(
      '\n',
    );

  test.each<[number, string[]]>([
    [
      0,
      [
        'counts as progress: new content',
        'Equal     to no earlier step',
        'none would have with its threshold one lower',
      ],
    ],
    [1, ['repeated-call.threshold 2 (now 3)']],
    [2, ['Near      step 1, 100% of the words: order “7” / “8”']],
    [
      3,
      [
        'Signals   ▲ repeated-call (recurring, 3×, note)',
        'Plan      → note',
        'would have kept it quiet',
      ],
    ],
  ])('at step %i says so', (number, said) => {
    for (const part of said) expect(textAt(number)).toContain(part);
  });
});
