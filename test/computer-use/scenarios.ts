import type { Permission, ReasonCode, ScreenPlan } from '@unrut/computer-use';
import { done, type Script } from './script.ts';

/** A page on which a brain goes round until it is helped, and then does the rest. */
export interface LoopScenario {
  path: string;
  what: string;
  plan?: ScreenPlan;
  allow?: readonly Permission[];
  /** Something on the page moves by itself. */
  moves?: true;
  brain: Script;
  /** The recovery's forced actions, counted. */
  reasons: Partial<Record<ReasonCode, number>>;
}

/** Work that only looks like a loop. */
export interface QuietScenario {
  path: string;
  what: string;
  brain: Script;
}

const saved = (url: string): boolean => url.includes('/saved');
const value = (label: string, text = `text for ${label}`): { label: string; value: string } => ({
  label,
  value: text,
});
const customer: ScreenPlan = { values: [value('Customer number', '48151623')] };
const fillsX1: Script = ({ view, click }) =>
  saved(view.url) ? done() : click(view.pending.length > 0 ? '#x1' : '#save');
const saves: Script = ({ view, click }) => (saved(view.url) ? done() : click('#save'));

export const LOOPS: readonly LoopScenario[] = [
  {
    path: '/odd-label',
    what: 'a form whose label no value matches',
    plan: customer,
    brain: fillsX1,
    reasons: { type_pending_value: 1 },
  },
  {
    path: '/odd-labels',
    what: 'a form of several such fields',
    plan: { values: [value('Colour'), value('Size'), value('Weight')] },
    brain: ({ view, click }) =>
      saved(view.url)
        ? done()
        : click(view.pending.length > 0 ? `#x${4 - view.pending.length}` : '#save'),
    reasons: { type_pending_value: 3 },
  },
  {
    path: '/login',
    what: 'a login form that is sent off by Return only',
    plan: { values: [value('User name', 'ada'), value('Password', 'difference engine')] },
    allow: ['returnInFocusedField'],
    brain: ({ view, click }) => {
      if (saved(view.url)) return done();
      const [first] = view.pending;
      return first
        ? click(first === 'Password' ? '#password' : '#user')
        : click('#go', 'Sign in now.');
    },
    reasons: { press_return_for_submit: 1 },
  },
  {
    path: '/two-fields',
    what: 'a field that is filled already',
    brain: async ({ view, click, page }) => {
      if (saved(view.url)) return done();
      const moved = await page.evaluate('document.activeElement.id === "second"');
      return click(moved ? '#save' : '#first', 'The field needs the focus.');
    },
    reasons: { tab_to_next_field: 1 },
  },
  {
    path: '/dead-button',
    what: 'a button that does nothing',
    brain: saves,
    reasons: { press_return_for_submit: 1 },
  },
  {
    path: '/clock',
    what: 'a clock over a frozen form',
    moves: true,
    brain: saves,
    reasons: { press_return_for_submit: 1 },
  },
  {
    path: '/drifting',
    what: 'a target that drifts',
    plan: customer,
    brain: fillsX1,
    reasons: { type_pending_value: 1 },
  },
];

/** The same click ten times, for a good reason each time. */
const clicksOn =
  (selector: string): Script =>
  ({ view, click }) =>
    view.step < 10 ? click(selector, 'Continue.') : done();

export const QUIET: readonly QuietScenario[] = [
  { path: '/load-more', what: 'a list that grows', brain: clicksOn('#more') },
  { path: '/pages', what: 'pages one after the other', brain: clicksOn('#next') },
  { path: '/click-game', what: 'a game', brain: clicksOn('#dot') },
  {
    path: '/slow',
    what: 'a page that is slow but moves, clicked again',
    brain: ({ view, click }) => (view.step < 6 ? click('#start', 'Submit it.') : done()),
  },
  {
    path: '/slow',
    what: 'a page that is slow but moves, waited for',
    brain: ({ view, click }) =>
      view.step === 0
        ? click('#start')
        : view.step < 6
          ? { action: { type: 'wait', seconds: 0.3 } }
          : done(),
  },
  {
    path: '/long-article',
    what: 'scrolling through a long page',
    brain: ({ view }) =>
      view.step < 6 ? { action: { type: 'scroll', direction: 'down', amount: 2 } } : done(),
  },
];
