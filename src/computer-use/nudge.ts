import { describeAction } from './action.ts';
import type { Sample } from './gates/gate.ts';
import type { PageReport } from './page-report.ts';

/** What the brain reads when it goes round: the focused field and what to do with it, or the repeated action and what else there is. */
export function nudge(samples: readonly Sample[], count: number, { focused, wall }: PageReport, pending: readonly string[]): string {
  const last = samples.at(-1);
  if (!last) return '';
  const what = `${count} actions in a row (the last: ${describeAction(last.action)}) brought nothing new`;
  if (wall)
    return `${what}. The page wants to know whether a person is there. Do not try to get around that: stop, and say that a person is needed.`;
  if (focused) {
    const name = focused.label || focused.placeholder || focused.name || focused.id || focused.type;
    const fill = focused.empty ? 'Type into it now' : 'Select all of it (Control+A) and type';
    const still = pending.length > 0 ? ` Still to be typed: ${pending.map((label) => `"${label}"`).join(', ')}.` : '';
    return `${what}. The field "${name}" has the focus; clicking it again does nothing. ${fill}, or press Tab to get to the next field.${still}`;
  }
  return `${what}. Do something of another kind: press Return or Tab, scroll to look for another way, or wait if the page is working; or say what is in the way.`;
}
