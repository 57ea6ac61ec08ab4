import { describe, expect, it } from 'vitest';
import { GATES } from '../../src/computer-use/gates/index.ts';
import type { RunnerOptions, ScreenAction, ScreenPlan, Switch } from '../../src/computer-use/index.ts';
import { document } from '../site/site.ts';
import { done, type Script, useSite } from './drive.ts';

/** A field keeps the focus while something at the top is clicked. */
const site = useSite({
  '/top-bar': document(
    'A form under a bar',
    `<header onmousedown="event.preventDefault()" style="position: fixed; inset: 0 0 auto 0; height: 48px; background: #eee">
<span role="button" id="menu">Sections</span> <span id="logo">The Daily Form</span></header>
<form action="/saved" style="padding-top: 80px; height: 2000px"><label for="name">Your name</label><input id="name"><button>Save</button></form>
<script>document.querySelector('#name').focus();</script>`,
  ),
});

const direct: ScreenAction = { type: 'key_press', keys: 'Escape' };
const director = async (): Promise<ScreenAction> => direct;
const known = (label: string): ScreenPlan => ({ values: [{ label, value: 'Ada Lovelace' }] });

it('stand in this order', () => {
  expect(GATES.map(({ name }) => name)).toEqual([
    'done-gate',
    'force-fill',
    'force-submit',
    'director',
    'top-click-guard',
    'loop-recovery',
  ]);
});

interface Contest {
  winner: Switch;
  /** Also would act here: shown by switching the winner off. */
  next: Switch;
  path: string;
  brain: Script;
  options: Partial<RunnerOptions>;
  /** The step at which both want to act, from 1. */
  at: number;
}

const clickField: Script = ({ click }) => click('#x1', 'Submit it.');
const logo: Script = ({ click }) => click('#logo', 'Submit it.');
/** Waits in between, so that only the frozen screen makes a loop, and the clicks at the top come last. */
const lateLogo: Script = ({ view, click }) => (view.step === 0 ? { action: { type: 'wait', seconds: 0.1 } } : click('#logo'));
const odd: ScreenPlan = known('Customer number');
const filled: Script = ({ view, click }) => (view.step === 0 ? click('#name') : click(view.step < 4 ? '#mail' : '#name', 'Save it.'));

/** A click on the menu has a purpose of its own; only the last one, beside it, is for the gates of the form. */
const topBar =
  (first: ScreenAction): Script =>
  ({ view, click }) =>
    view.step === 0 ? { action: first } : click(view.step < 3 ? '#menu' : '#logo');
const wait: ScreenAction = { type: 'wait', seconds: 0.1 };
const typesName: ScreenAction = { type: 'type_text', text: 'Ada Lovelace' };

/** Each gate against the ones after it, at a moment when both apply. */
const CONTESTS: Contest[] = [
  {
    winner: 'force-fill',
    next: 'director',
    path: '/contact',
    brain: ({ view, click }) => click(view.step < 3 ? '#tel' : '#name'),
    options: { plan: known('Name'), director },
    at: 4,
  },
  {
    winner: 'force-fill',
    next: 'loop-recovery',
    path: '/contact',
    brain: ({ view, click }) => click(view.step < 3 ? '#tel' : '#name'),
    options: { plan: known('Name') },
    at: 4,
  },
  { winner: 'force-fill', next: 'top-click-guard', path: '/top-bar', brain: topBar(wait), options: { plan: known('Name') }, at: 4 },
  { winner: 'force-submit', next: 'top-click-guard', path: '/top-bar', brain: topBar(typesName), options: { plan: known('Name') }, at: 4 },
  { winner: 'force-submit', next: 'director', path: '/contact', brain: filled, options: { plan: known('Name'), director }, at: 5 },
  { winner: 'force-submit', next: 'loop-recovery', path: '/contact', brain: filled, options: { plan: known('Name') }, at: 5 },
  { winner: 'director', next: 'top-click-guard', path: '/long-article', brain: lateLogo, options: { director, task: 'Read it.' }, at: 4 },
  { winner: 'director', next: 'loop-recovery', path: '/odd-label', brain: clickField, options: { director, plan: odd }, at: 4 },
  { winner: 'top-click-guard', next: 'loop-recovery', path: '/long-article', brain: logo, options: { task: 'Read it.' }, at: 3 },
];

describe.each(CONTESTS)('$winner before $next ($path)', ({ winner, next, path, brain, options, at }) => {
  it('the earlier one acts, and the later one does not touch it', async () => {
    const { trajectory } = await site.run(path, brain, { ...options, maxSteps: at });
    expect(trajectory.at(-1)?.gate).toBe(winner);
  });

  it('the later one acts when the earlier one is switched off', async () => {
    // A loop begins one click later than three clicks at the top edge.
    const { trajectory } = await site.run(path, brain, { ...options, off: [winner], maxSteps: Math.max(at, 4) });
    expect(trajectory.at(-1)?.gate).toBe(next);
  });
});

describe('force-fill before force-submit', () => {
  // Never at one moment: the one needs a pending value, the other needs that there is none. So the order shows where one hands over to the other.
  const both: ScreenPlan = {
    values: [
      { label: 'Name', value: 'Ada Lovelace' },
      { label: 'E-mail', value: 'ada@example.com' },
    ],
  };
  const town: ScreenPlan = { values: [{ label: 'Town', value: 'Bremen' }] };
  const gatesOf = async (path: string, brain: Script, options: Partial<RunnerOptions>): Promise<string[]> =>
    (await site.run(path, brain, options)).trajectory.map(({ gate }) => gate);

  it('nothing is sent off while a value is pending', async () => {
    const brain: Script = ({ view, click }) => click(view.step === 0 ? '#name' : '#mail');
    expect(await gatesOf('/contact', brain, { plan: both, maxSteps: 3 })).toEqual(['force-fill', 'force-fill', 'force-submit']);
  });

  it.each([
    ['a field that holds its value already is settled first, so the same click sends it off', [], ['force-submit']],
    ['which it does not when nobody settles it', ['force-fill'], ['']],
  ] as [string, Switch[], string[]][])('%s', async (_, off, gates) => {
    expect(await gatesOf('/two-fields', ({ click }) => click('#first'), { plan: town, off, maxSteps: 1 })).toEqual(gates);
  });
});

describe('the done gate before all others', () => {
  /** For each later gate a moment at which a click would be its own. */
  const moments = GATES.slice(1).map(({ name }) => {
    const won = CONTESTS.find(({ winner }) => winner === name);
    const { winner, ...contest } = won ?? CONTESTS.find(({ next, at }) => next === name && at === 4)!;
    return { ...contest, gate: name, off: won ? [] : [winner] };
  });

  it.each(moments)('a refused claim is a wait where $gate would replace a click', async ({ gate, path, brain, options, off, at }) => {
    const claims =
      (last: Script): Script =>
      (scene) =>
        scene.view.step === at - 1 ? last(scene) : brain(scene);
    const lastOf = async (last: Script): Promise<unknown> =>
      (await site.run(path, claims(last), { ...options, off, maxSteps: at })).trajectory.at(-1);
    expect(await lastOf(brain)).toMatchObject({ gate });
    expect(await lastOf(() => done(''))).toMatchObject({
      gate: 'done-gate',
      action: { type: 'wait', seconds: 1 },
      proposed_action: { type: 'done' },
      done_rejected_reason: 'empty_summary',
      loop_recovery_reason: '',
    });
  });

  it('the others leave a claim alone, even when it is not refused', async () => {
    const brain: Script = (scene) => (scene.view.step < 3 ? clickField(scene) : done());
    const { trajectory, termination_reason } = await site.run('/odd-label', brain, { plan: odd, director, off: ['done-gate'] });
    expect(trajectory.at(-1)).toMatchObject({ step: 4, gate: '', action: { type: 'done' } });
    expect(termination_reason).toBe('done');
  });
});

describe('force-submit', () => {
  it('sends off once, with the button of the form', async () => {
    const result = await site.run('/contact', ({ view, click }) => (view.url.includes('/saved') ? done() : click('#name')), {
      plan: known('Name'),
    });
    expect(result.substitutions_by_gate).toEqual({ 'force-fill': 1, 'force-submit': 1 });
    expect(result.termination_reason).toBe('done');
  });

  it.each([
    ['leaves alone what cannot be taken back', [], ''],
    ['does it when allowed by name', ['press_return_for_submit'], 'press_return_for_submit'],
  ])('Return on a payment: %s', async (_, allow, reason) => {
    const result = await site.run('/pay', ({ view, click }) => (view.url.includes('/saved') ? done() : click('#save')), { allow });
    expect(result.trajectory.map((step) => step.loop_recovery_reason).find((code) => code !== '') ?? '').toBe(reason);
  });
});

describe('the director', () => {
  it.each([
    ['may not type', async (): Promise<ScreenAction> => ({ type: 'type_text', text: 'anything' })],
    ['may have no idea', async (): Promise<null> => null],
    ['may fail', async (): Promise<never> => Promise.reject(new Error('overloaded'))],
  ])('%s: the next gate has its turn', async (_, ask) => {
    const { trajectory } = await site.run('/odd-label', clickField, { director: ask, plan: odd, maxSteps: 4 });
    expect(trajectory.at(-1)?.gate).toBe('loop-recovery');
  });

  it('sees labels and never a value', async () => {
    const views: unknown[] = [];
    await site.run('/odd-label', clickField, {
      plan: odd,
      maxSteps: 4,
      director: async ({ screenshot: _, ...view }) => {
        views.push(view);
        return null;
      },
    });
    expect(views).toMatchObject([{ pending: ['Customer number'], proposed: expect.stringContaining('click at') }]);
    expect(JSON.stringify(views)).not.toContain('Lovelace');
  });
});
