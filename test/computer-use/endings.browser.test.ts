import {
  REASON_CODES,
  type RunnerOptions,
  TERMINATION_REASONS,
  type TerminationReason,
} from '@unrut/computer-use';
import { describe, expect, it } from 'vitest';
import { done, type Script, useSite } from './drive.ts';
import { WATCHES_FIRST } from './script.ts';

const site = useSite();
const clickOpen: Script = ({ click }) => click('#open');

interface Case {
  what: string;
  path: string;
  brain: Script;
  options?: Partial<RunnerOptions>;
  reason: TerminationReason;
  ending: RegExp;
}

const CASES: Case[] = [
  { what: 'is done', path: '/saved', brain: () => done(), reason: 'done', ending: /saved/ },
  {
    what: 'has no steps left',
    path: '/load-more',
    brain: ({ click }) => click('#more'),
    options: { maxSteps: 2 },
    reason: 'max_steps',
    ending: /2 steps/,
  },
  {
    what: 'goes round',
    path: '/click-game',
    brain: () => ({ action: { type: 'click', x: 600, y: 400 } }),
    reason: 'loop',
    ending: /repeated the same thing/,
  },
  {
    what: 'goes round, and somebody is asked',
    path: '/click-game',
    brain: () => ({ action: { type: 'click', x: 600, y: 400 } }),
    options: { escalate: async () => false },
    reason: 'escalated',
    ending: /asked/,
  },
  {
    what: 'shows what it was to achieve',
    path: '/contact',
    brain: ({ click }) => click('#save'),
    options: { plan: { until: { text: 'thank you' } } },
    reason: 'env_done',
    ending: /shows/,
  },
  {
    what: 'leads to an address that cannot be shown',
    path: '/leave',
    brain: clickOpen,
    reason: 'page_lost',
    ending: /could not show/,
  },
  {
    what: 'closes its page',
    path: '/saved',
    brain: async ({ page }) => {
      await page.close();
      return done();
    },
    reason: 'page_lost',
    ending: /closed/,
  },
  {
    what: 'crashes its page',
    path: '/saved',
    brain: ({ page }) => {
      page.goto('chrome://crash').catch(() => {});
      return new Promise((next) =>
        page.once('crash', () => next({ action: { type: 'click', x: 5, y: 5 } })),
      );
    },
    reason: 'page_lost',
    ending: /crashed/,
  },
  {
    what: 'never holds still',
    path: '/restless',
    brain: ({ view }) => ({ action: { type: 'click', x: 5 + view.step, y: 5 } }),
    options: { patience: WATCHES_FIRST },
    reason: 'never_settled',
    ending: /settled/,
  },
  {
    what: 'stops answering',
    path: '/hang',
    brain: ({ click }) => click('#hang'),
    reason: 'never_settled',
    ending: /^Gave up: /,
  },
];

it.each(CASES)(
  'a run that $what ends with $reason',
  async ({ path, brain, options = {}, reason, ending }) => {
    const result = await site.run(path, brain, options);
    expect(TERMINATION_REASONS).toContain(result.termination_reason);
    expect(result.termination_reason).toBe(reason);
    expect(result.ending).toMatch(ending);
  },
);

describe('a run continues', () => {
  it('after a dialog, which is never agreed to', async () => {
    const result = await site.run('/dialog', ({ view, click }) =>
      view.step === 0 ? click('#ask') : done(view.feedback),
    );
    expect(result).toMatchObject({
      termination_reason: 'done',
      ending: expect.stringContaining('Delete everything?'),
    });
    expect(await result.page.locator('#answer').textContent()).toBe('Kept');
  });

  it('in a new tab', async () => {
    const result = await site.run('/new-tab', ({ view, click }) =>
      view.step === 0 ? click('#open') : done(`${view.feedback} ${view.url}`),
    );
    expect(result).toMatchObject({
      termination_reason: 'done',
      ending: expect.stringMatching(/new tab.*\/saved/),
    });
  });

  it('when somebody says so', async () => {
    let asked = 0;
    const escalate = async (): Promise<boolean> => ++asked < 2;
    const result = await site.run(
      '/click-game',
      () => ({ action: { type: 'click', x: 600, y: 400 } }),
      { escalate, maxSteps: 30 },
    );
    expect([asked, result.termination_reason]).toEqual([2, 'escalated']);
  });
});

it('a run that is called off ends at once', async () => {
  const stop = new AbortController();
  const brain: Script = () => {
    setTimeout(() => stop.abort(), 50);
    return { action: { type: 'wait', seconds: 60 } };
  };
  const result = await site.run('/saved', brain, { signal: stop.signal });
  expect(result.termination_reason).toBe('cancelled');
}, 45_000);

it('the codes are what programs know them by', () => {
  expect(REASON_CODES).toEqual([
    'type_pending_value',
    'press_return_for_submit',
    'tab_to_next_field',
  ]);
});
