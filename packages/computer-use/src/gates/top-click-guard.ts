import { isClick } from '../action.ts';
import type { Gate } from './gate.ts';

/** Menus and headings are in the top tenth of the screen, at most 90 px. */
const TOP_SHARE = 0.1;
const TOP_MOST = 90;
/** Tasks about something at the top of the page. */
const ABOUT_THE_TOP =
  /\b(?:menu|navigation|header|tabs?|top of|log ?out|sign ?out|language|profile|account settings|search)\b/i;

/**
 * Scrolls the page instead of another click at its top edge, if such clicks hit nothing and change
 * nothing, and the task is about something further down.
 */
export const topClickGuard: Gate = {
  name: 'top-click-guard',
  needsLoop: true,
  decide({ proposal, page, samples, window, task, allow }) {
    if (!allow.has('top-click-guard')) return null;
    const top = Math.min(TOP_MOST, TOP_SHARE * page.viewport.height);
    const last = samples.slice(-window);
    if (
      !isClick(proposal.action) ||
      proposal.action.y > top ||
      page.target?.interactive ||
      page.busy
    )
      return null;
    if (
      last.length < window ||
      !last.every(({ action, changed }) => isClick(action) && action.y <= top && !changed)
    )
      return null;
    if (page.below === 0 || task === '' || ABOUT_THE_TOP.test(task)) return null;
    return {
      gate: 'top-click-guard',
      action: { type: 'scroll', direction: 'down', amount: 5 },
      reason: 'top-click-guard',
      why: 'Clicks at the top of the page changed nothing, so it was scrolled down instead.',
    };
  },
};
