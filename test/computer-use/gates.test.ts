import { describe, expect, it } from 'vitest';
import { GATES } from '../../src/computer-use/gates/index.ts';
import type { Action, Plan, RunnerOptions, Switch } from '../../src/computer-use/index.ts';
import { done, type Script, useSite } from './drive.ts';

const site = useSite();

const direct: Action = { type: 'key_press', keys: 'Escape' };
const director = async (): Promise<Action> => direct;
const known = (label: string): Plan => ({ values: [{ label, value: 'Ada Lovelace' }] });

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
const odd: Plan = known('Customer number');
const filled: Script = ({ view, click }) => (view.step === 0 ? click('#name') : click(view.step < 4 ? '#mail' : '#name', 'Save it.'));

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

describe('the done gate before all others', () => {
  it('a refused claim is a wait, whatever the others would do', async () => {
    const brain: Script = ({ view, click }) => (view.step < 3 ? click('#x1', 'Submit it.') : done());
    const { trajectory } = await site.run('/odd-label', brain, { plan: odd, director, maxSteps: 4 });
    expect(trajectory.at(-1)).toMatchObject({
      gate: 'done-gate',
      action: { type: 'wait', seconds: 1 },
      proposed_action: { type: 'done' },
      done_rejected_reason: 'pending_form_values',
      loop_recovery_reason: '',
    });
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
    ['may not type', async (): Promise<Action> => ({ type: 'type_text', text: 'anything' })],
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
