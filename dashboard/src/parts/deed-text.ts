import { number } from '../../../src/report/figures.ts';
import type { Acted } from '../../../src/server/api/answers.ts';
import { times } from './times.ts';

/** How often Unrut stepped in, and how much of that worked as far as is known. `plans` are also those that it only recorded. */
export function deedText({ acted, plans }: { acted: Acted; plans: number }): string {
  if (acted.plans === 0) return plans === 0 ? 'Nothing was done about it' : 'Unrut only recorded what it would have done';
  const open = acted.plans - acted.recovered - acted.persisted - acted.relapsed;
  return `Unrut stepped in ${times(acted.plans)}; ${successText(acted, open)}`;
}

function successText({ plans, recovered }: Acted, open: number): string {
  if (open >= plans) return 'what came of it is not known';
  const rest = open <= 0 ? '' : `, and of ${number(open)} it is not known`;
  if (plans === 1) return recovered === 1 ? 'it worked' : 'it did not work';
  return `${recovered === 0 ? 'none' : number(recovered)} of that worked${rest}`;
}
