import type { LoopPrice } from '@unrut/engine/signal';
import { cut, printable, wrap } from '@unrut/engine/text/printable';
import type { SessionFigures } from '../figures/session-figures.ts';
import type { Paint } from '../text/paint.ts';
import { noColours } from '../text/paint.ts';
import type { Moment, PlanShown } from '../views/timeline.ts';
import { numbersOf } from '../views/timeline.ts';
import { counted, dollars, priceWords } from './figures.ts';
import { outcomesText } from './sessions-text.ts';
import { faultText, outcomeText, planText, signalText } from './step-text.ts';
import type { Sheet } from './table.ts';
import { clock, day, lasting } from './time-text.ts';

const INDENT = 16;

/** A session for a terminal: a summary, then its moments. */
export function timelineText(
  summary: SessionFigures,
  moments: readonly Moment[],
  { paint, width }: Sheet,
): string[] {
  const numbers = numbersOf(moments);
  return [
    ...wrap(headline(summary), width).map(paint.bold),
    ...wrap(printable(`Session ${summary.session}`), width).map(paint.dim),
    ...priceLines(moments).flatMap((line) => wrap(printable(line), width)),
    '',
    ...moments.flatMap((moment, i) => momentLines(moment, numbers[i], width, paint)),
  ];
}

/** The highest cost of each loop without progress; empty for loops without cost. */
function priceLines(moments: readonly Moment[]): string[] {
  const loops = new Map<string, { text: string; price: LoopPrice }>();
  for (const { signals, agent = '' } of moments)
    for (const { streak, text, price } of signals) {
      const known = loops.get(`${agent} ${streak}`)?.price;
      if (price && price.steps + price.minutes >= (known ? known.steps + known.minutes : 0))
        loops.set(`${agent} ${streak}`, { text, price });
    }
  return [...loops.values()].map(
    ({ text, price }) => `Without progress for ${priceWords(price)}: ${text}.`,
  );
}

function headline({
  host,
  folder,
  first,
  last,
  steps,
  loops,
  plans,
  outcomes,
  wasted,
  mode,
}: SessionFigures): string {
  const who = [host ?? 'An agent', ...(folder === undefined ? [] : [`in ${folder}`])].join(' ');
  const when = `${day(first)} ${clock(first)}, for ${lasting(last - first)}`;
  const money = wasted.usd > 0 ? ` (${dollars(wasted.usd)})` : '';
  const lost = wasted.steps > 0 ? [`${counted(wasted.steps, 'step')} wasted${money}`] : [];
  const what = [
    counted(steps, 'step'),
    counted(loops, 'loop'),
    ...lost,
    counted(plans, 'plan'),
  ].join(', ');
  const came = outcomesText(outcomes);
  const now =
    mode === undefined
      ? ''
      : mode === 'off'
        ? ' Unrut is switched off there: unrut on.'
        : ' Unrut only records there: see unrut config.';
  return printable(`${who}, ${when}: ${what}${came === '' ? '' : `; ${came}`}.${now}`);
}

function momentLines(
  moment: Moment,
  number: number | undefined,
  width: number,
  paint: Paint,
): string[] {
  const { agent, at, what, brought, signals, plans, outcomes, faults } = moment;
  const start = `${String(number ?? '').padStart(4)}  ${clock(at)}  `;
  const whose = agent === undefined ? '' : `[${agent}] `;
  // Iterations and attempts are numbered from 1.
  const ahead = number === undefined || moment.step === undefined ? 0 : number - moment.step;
  const room = Math.max(10, width - start.length);
  const left = cut(
    printable(whose + what),
    brought === '' ? room : Math.max(20, Math.floor(room * 0.6)),
  );
  const right = cut(printable(brought), Math.max(0, room - left.length - 2));
  const about = (text: string, mark: (line: string) => string): string[] =>
    wrap(printable(text), width, INDENT).map(mark);
  return [
    `${paint.dim(start)}${left}  ${paint.dim(right)}`.trimEnd(),
    ...signals.flatMap((signal) =>
      about(signalText({ ...signal, since: signal.since + ahead }, noColours), paint.yellow),
    ),
    ...plans.flatMap((plan) => about(planText(plan, howPerformed(plan)), paint.red)),
    ...outcomes.flatMap((each) =>
      about(outcomeText(each, noColours), each.outcome === 'recovered' ? paint.green : paint.dim),
    ),
    ...faults.flatMap((fault) => about(faultText(fault, noColours), paint.red)),
  ];
}

function howPerformed({ rung, shadow, performed }: PlanShown): string {
  if (shadow) return ' (only recorded)';
  if (!performed || (!performed.failed && performed.rung === rung)) return '';
  return performed.failed ? ' (could not be performed)' : ` (performed as ${performed.rung})`;
}
