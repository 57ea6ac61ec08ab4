import type { Rung } from '@unrut/engine/event';
import { number } from '@unrut/ledger/report/figures';
import { DEEDS } from '@unrut/ledger/report/rung-words';
import type { Acted } from '@unrut/server/api/answers';
import { times } from './words.ts';

/** The action taken, or the one that would have been. */
export const doneText = (rung: Rung, shadow = false): string =>
  shadow ? `would have ${DEEDS[rung].done}` : DEEDS[rung].done;

/**
 * How often Unrut intervened, and how much of them worked as far as is known. `plans` are also
 * those that it only recorded.
 */
export function deedText({ acted, plans }: { acted: Acted; plans: number }): string {
  if (acted.plans === 0)
    return plans === 0
      ? 'Nothing was done about it'
      : 'Unrut only recorded what it would have done';
  const open = acted.plans - acted.recovered - acted.persisted - acted.relapsed;
  return `Unrut intervened ${times(acted.plans)}; ${successText(acted, open)}`;
}

function successText({ plans, recovered, persisted, relapsed }: Acted, open: number): string {
  const failed = persisted + relapsed;
  if (open >= plans) return 'the outcome is unknown';
  if (plans === 1) return recovered === 1 ? 'it worked' : 'it did not help';
  if (recovered === plans) return 'all of them worked';
  if (failed === plans) return 'none of them helped';
  return [
    recovered > 0 && `${number(recovered)} worked`,
    failed > 0 && `${number(failed)} did not help`,
    open > 0 && `the outcome of ${number(open)} is unknown`,
  ]
    .filter(Boolean)
    .join(', ');
}
