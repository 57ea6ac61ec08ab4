import { isStep } from '@unrut/engine/event';
import type { Verdict } from '@unrut/engine/guard';
import type { Outcome } from '@unrut/engine/outcome/outcome';
import type { Plan } from '@unrut/engine/policy/plan';
import type { Fault, Signal } from '@unrut/engine/signal';
import { cut, printable } from '@unrut/engine/text/printable';
import type { Paint } from '../text/paint.ts';
import { whatHappened } from '../views/what-happened.ts';

/** One event, its signals and plan, as lines; empty for an event without display. */
export function stepText(verdict: Verdict, paint: Paint): string[] {
  const { seen, signals, outcomes, faults } = verdict;
  const plan = verdict.plan ?? verdict.shadow;
  const lines: string[] = [];
  const isOwn =
    seen !== null &&
    (isStep(seen.type, seen.text?.message != null && seen.text.channel === 'answer') ||
      seen.type === 'call-proposed');
  const number = paint.dim((isOwn ? String(verdict.step) : '').padStart(4));
  const said = seen && whatHappened(seen);
  if (said) lines.push(`${number}  ${said.what}  ${paint.dim(said.brought)}`.trimEnd());
  for (const signal of signals) lines.push(`      ${signalText(signal, paint)}`);
  if (plan) {
    const before = seen?.type === 'call-proposed';
    const when = before ? ' before it runs' : '';
    lines.push(
      `${before ? `${number}  ` : '      '}${paint.red(`→ ${plan.rung}${when}`)} by ${plan.recovery}: ${plan.toModel}`,
    );
  }
  for (const outcome of outcomes) lines.push(`      ${outcomeText(outcome, paint)}`);
  for (const fault of faults) lines.push(`      ${faultText(fault, paint)}`);
  return lines;
}

/** A step and its result, side by side in this many columns. */
export function stepWords(
  { what, brought }: { what: string; brought: string },
  room: number,
  paint: Paint,
): string {
  const left = cut(printable(what), brought === '' ? room : Math.max(20, Math.floor(room * 0.55)));
  return `${left}  ${paint.dim(cut(printable(brought), Math.max(0, room - left.length)))}`.trimEnd();
}

type SignalWords = Pick<Signal, 'detector' | 'variant' | 'count' | 'since' | 'rung' | 'text'>;

/** A signal in one line. */
export const signalText = (
  { detector, variant, count, since, rung, text }: SignalWords,
  paint: Paint,
): string =>
  `${paint.yellow(`▲ ${detector}`)} (${variant}, ${count}× since step ${since}, ${rung})  ${text}`;

/** Instructions for a missing permission that only the user can grant. */
const PERMISSION = /To allow it, .+$/s;

/** A plan in one line; `how` adds details. */
export function planText(
  { rung, recovery, toModel, toHuman }: Pick<Plan, 'rung' | 'recovery' | 'toModel' | 'toHuman'>,
  how = '',
): string {
  const [permission] = PERMISSION.exec(toHuman) ?? [];
  const forHuman = permission === undefined ? '' : ` For you: ${permission}`;
  return `→ ${rung} by ${recovery}${how}: ${toModel}${forHuman}`;
}

/** The outcome of a plan, in a line. */
export const outcomeText = (
  { recovery, outcome }: Pick<Outcome, 'recovery' | 'outcome'>,
  paint: Paint,
): string =>
  outcome === 'recovered'
    ? paint.green(`✓ ${recovery}: recovered`)
    : paint.dim(`· ${recovery}: ${outcome}`);

/** A fault in one line. */
export const faultText = ({ where, message }: Fault, paint: Paint): string =>
  `${paint.red(`! ${where}`)}: ${message}`;
