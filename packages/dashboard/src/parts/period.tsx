import type { JSX } from 'preact';
import { choose } from '../router.tsx';
import { Choice } from './choice.tsx';

/** How far back a page looks: what the API takes as `since`, and its words. */
const PERIODS: [since: string, words: string][] = [
  ['24h', 'the last 24 hours'],
  ['7d', 'the last 7 days'],
  ['30d', 'the last 30 days'],
  ['0', 'all that is recorded'],
];

const USUAL = '30d';

/** The period in the address. */
export function periodOf(query: URLSearchParams): { since: string; words: string } {
  const [since, words] =
    PERIODS.find(([each]) => each === query.get('since')) ??
    PERIODS.find(([each]) => each === USUAL)!;
  return { since, words };
}

/** Selects the period, stored in the address. */
export const PeriodChoice = ({ since }: { since: string }): JSX.Element => (
  <Choice
    label="Period"
    of={PERIODS}
    value={since}
    onChoose={(value) => choose({ since: value === USUAL ? '' : value })}
  />
);
