import { counted, dollars, number, percent, share, short } from '../report/figures.ts';
import type { GroupFigures, InsightsQuery, InsightsReport, ShareDifference } from './insights.ts';

/** `29.6% (28.4% to 30.8%)`: the share of sessions with a loop. */
export const shareText = ({ share: { value, low, high } }: GroupFigures): string =>
  `${percent(value)} (${percent(low)} to ${percent(high)})`;

const points = (value: number): string =>
  `${value > 0 ? '+' : value < 0 ? '−' : ''}${Math.abs(Math.round(value * 1000) / 10)}`;

/** `−12.4 points (−14.1 to −10.8)`. */
export const differenceText = ({ value, low, high }: ShareDifference): string =>
  `${points(value)} points (${points(low)} to ${points(high)})`;

/** The difference in a sentence that claims no more than the figures support. */
export function verdictText(
  { verdict, missing }: ShareDifference,
  [a, b]: readonly [string, string],
): string {
  if (verdict !== 'unclear')
    return `${verdict === 'fewer' ? 'Fewer' : 'More'} loops in ${b} than in ${a}`;
  const needs = [
    missing?.sessions && counted(missing.sessions, 'more session'),
    missing?.people &&
      `${number(missing.people)} more ${missing.people === 1 ? 'person' : 'people'}`,
  ].filter(Boolean);
  if (needs.length === 0) return 'Not enough to tell';
  return `Not enough to tell: about ${needs.join(' and ')} needed on each side`;
}

/** The names of both sides of a comparison. */
export function sidesText(compare: NonNullable<InsightsQuery['compare']>): [string, string] {
  if (compare.by !== 'period') return [compare.a || UNKNOWN, compare.b || UNKNOWN];
  const day = (at: number): string => new Date(at).toISOString().slice(0, 10);
  const sides = [compare.a, compare.b].map(
    ({ since, until }) => `${day(since)} to ${until === undefined ? 'now' : day(until)}`,
  );
  return sides as [string, string];
}

/** The label for sessions without a value. */
export const UNKNOWN = 'not known';

/** The waste in the units that are known. */
export const wastedText = ({ steps, tokens, usd }: GroupFigures['wasted']): string =>
  usd > 0 ? dollars(usd) : tokens > 0 ? `${short(tokens)} tokens` : counted(steps, 'step');

/** Advice on which group to look at first: the one that wasted most, if there are several. */
export function adviceOn({
  by,
  all,
  groups,
}: Pick<InsightsReport, 'by' | 'all' | 'groups'>): string | undefined {
  const worst = groups.find(({ value }) => value !== '');
  const measure = all.wasted.usd > 0 ? 'usd' : 'steps';
  if (!worst || groups.length < 2 || worst.wasted[measure] === 0) return undefined;
  const { wasted, looped, sessions } = worst;
  const part = share(wasted[measure], all.wasted[measure]);
  return (
    `Look at the ${by} ${worst.value} first: it wasted ${wastedText(wasted)} (${part} of all ` +
    `waste), with a loop in ${number(looped)} of ${counted(sessions, 'session')}.`
  );
}
