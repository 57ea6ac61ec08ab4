import { type EventType, isStep } from '../event.ts';
import type { Fingerprint } from '../fingerprint/fingerprint.ts';
import type { Verdict } from '../guard.ts';
import type { SeenBriefly } from '../ledger/seen-briefly.ts';
import type { Outcome } from '../outcome/outcome.ts';
import type { Fault, Signal } from '../signal.ts';
import type { Paint } from '../text/paint.ts';

const NEUTRAL: Record<NonNullable<Fingerprint['neutral']>, string> = {
  wait: 'a wait',
  poll: 'asking whether something has changed',
  'transient-error': 'a passing error',
  batch: 'one of a parallel batch',
  own: 'refused by Unrut',
  reread: 'looked at again after the context was compacted',
};

const PROGRESS: Record<NonNullable<Fingerprint['progress']>, string> = {
  write: 'a write that applied',
  novel: 'new',
  moved: 'a count has moved',
  falling: 'fewer failures than before',
  'first-look': 'a first look',
  'first-run': 'a first run',
  screen: 'another screen',
};

/** What one event looked like, what was seen in it and what would be done, as lines; none for an event that shows nothing. */
export function stepText(verdict: Verdict, paint: Paint): string[] {
  const { seen, signals, outcomes, faults } = verdict;
  const plan = verdict.plan ?? verdict.shadow;
  const lines: string[] = [];
  const isOwn =
    seen !== null && (isStep(seen.type, seen.text?.message != null && seen.text.channel === 'answer') || seen.type === 'call-proposed');
  const number = paint.dim((isOwn ? String(verdict.step) : '').padStart(4));
  const said = seen && whatHappened(seen);
  if (said) lines.push(`${number}  ${said.what}  ${paint.dim(said.brought)}`.trimEnd());
  for (const signal of signals) lines.push(`      ${signalText(signal, paint)}`);
  if (plan) {
    const before = seen?.type === 'call-proposed';
    const when = before ? ' before it runs' : '';
    lines.push(`${before ? `${number}  ` : '      '}${paint.red(`→ ${plan.rung}${when}`)} by ${plan.recovery}: ${plan.toModel}`);
  }
  for (const outcome of outcomes) lines.push(`      ${outcomeText(outcome, paint)}`);
  for (const fault of faults) lines.push(`      ${faultText(fault, paint)}`);
  return lines;
}

type SignalWords = Pick<Signal, 'detector' | 'variant' | 'count' | 'since' | 'rung' | 'text'>;

/** What was seen, in a line. */
export const signalText = ({ detector, variant, count, since, rung, text }: SignalWords, paint: Paint): string =>
  `${paint.yellow(`▲ ${detector}`)} (${variant}, ${count}× since step ${since}, ${rung})  ${text}`;

/** What came of a plan, in a line. */
export const outcomeText = ({ recovery, outcome }: Pick<Outcome, 'recovery' | 'outcome'>, paint: Paint): string =>
  outcome === 'recovered' ? paint.green(`✓ ${recovery}: recovered`) : paint.dim(`· ${recovery}: ${outcome}`);

/** What went wrong, in a line. */
export const faultText = ({ where, message }: Fault, paint: Paint): string => `${paint.red(`! ${where}`)}: ${message}`;

/** What an event was and what it brought, in words; nothing for one that shows nothing. */
export function whatHappened(seen: SeenBriefly & { type: EventType }): { what: string; brought: string } | null {
  switch (seen.type) {
    case 'call-finished':
    case 'action-finished':
      return { what: seen.call?.label ?? '', brought: whatItBrought(seen) };
    case 'text-added':
      return seen.text?.message
        ? {
            what: `${seen.text.channel === 'thinking' ? 'thinks' : 'says'} ${seen.text.message.words} word${seen.text.message.words === 1 ? '' : 's'}`,
            brought: '',
          }
        : null;
    case 'output-finished':
      return { what: 'output', brought: seen.output?.signature ?? '' };
    case 'user-spoke':
      return { what: 'the user speaks', brought: '' };
    case 'context-compacted':
      return { what: 'the context is compacted', brought: '' };
    default:
      return null;
  }
}

function whatItBrought({ result, neutral, progress }: SeenBriefly): string {
  if (neutral) return NEUTRAL[neutral];
  if (!result) return '';
  if (!result.known) return 'no result known';
  const parts: string[] = [];
  if (result.error) parts.push(`failed: ${result.error.label.slice(0, 60)}`);
  if (result.run > 1) parts.push(`the same as the last ${result.run === 2 ? 'time' : `${result.run - 1} times`}`);
  else if (result.empty) parts.push('nothing found');
  else parts.push(progress === 'novel' ? `${Math.round(result.novelty * 100)} % new` : progress ? PROGRESS[progress] : 'nothing new');
  if (result.failures !== null) parts.push(`${result.failures} failing`);
  return parts.join(', ');
}
