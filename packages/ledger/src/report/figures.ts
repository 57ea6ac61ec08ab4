import type { LoopPrice } from '@unrut/engine/signal';
import type { Totals } from './scan-report.ts';

/** `1,234`. */
export const number = (value: number): string => Math.round(value).toLocaleString('en-US');

/** `1 loop`, `2 loops`. */
export const counted = (value: number, what: string): string =>
  `${number(value)} ${what}${value === 1 ? '' : 's'}`;

/** `950`, `12.3k`, `4.5M`. */
export function short(value: number): string {
  if (value < 1000) return String(Math.round(value));
  const [unit, by] = value < 999_500 ? ['k', 1e3] : ['M', 1e6];
  return `${(value / (by as number)).toFixed(value / (by as number) < 100 ? 1 : 0)}${unit}`;
}

/** `$0.42`. Amounts below a cent are never shown as zero. */
export const dollars = (value: number): string =>
  value > 0 && value < 0.005 ? 'under $0.01' : `$${value.toFixed(2)}`;

/** The cost of a loop since the last progress: `12 steps, 3.5 minutes, $0.42`. */
export const priceWords = ({ steps, minutes, usd, tokens }: LoopPrice): string =>
  [
    counted(steps, 'step'),
    `${minutes} ${minutes === 1 ? 'minute' : 'minutes'}`,
    ...(usd === undefined ? [] : [dollars(usd)]),
    ...(tokens === undefined ? [] : [`${short(tokens)} tokens`]),
  ].join(', ');

/** `38%`; a share above zero is never shown as 0%. */
export function share(part: number, whole: number): string {
  if (whole === 0 || part === 0) return '0%';
  const percent = (part / whole) * 100;
  return percent < 1 ? 'under 1%' : `${Math.round(percent)}%`;
}

/** `12.5%`, to a tenth. */
export const percent = (value: number): string => `${Math.round(value * 1000) / 10}%`;

/** The value of a limit; some are shares. */
export const gateFigure = (name: string, value: number): string =>
  name.includes('share') ? percent(value) : number(value);

/** The waste besides steps: `1.2k tokens`, `$0.42`. */
export const wastedCost = ({
  wastedTokens,
  wastedUsd,
}: Pick<Totals, 'wastedTokens' | 'wastedUsd'>): string[] => [
  ...(wastedTokens ? [`${short(wastedTokens)} tokens`] : []),
  ...(wastedUsd ? [dollars(wastedUsd)] : []),
];

/** The same, relative to the total: `1.2k of 4.5k tokens (27%)`, `$0.42 of $1.00`. */
export const wastedShare = ({ tokens, wastedTokens, usd, wastedUsd }: Totals): string[] => [
  ...(tokens && wastedTokens !== undefined
    ? [`${short(wastedTokens)} of ${short(tokens)} tokens (${share(wastedTokens, tokens)})`]
    : []),
  ...(usd && wastedUsd !== undefined ? [`${dollars(wastedUsd)} of ${dollars(usd)}`] : []),
];

/** A sentence about loops that the baseline contains; empty if there are none. */
export const knownLoops = ({ known }: Totals): string[] =>
  known
    ? [`${counted(known, 'loop')} known from the baseline ${known === 1 ? 'is' : 'are'} left out.`]
    : [];

/** The result of a scan in one sentence. */
export function summary(totals: Totals): string {
  const { trajectories, steps, looping, loops, wastedSteps } = totals;
  if (trajectories === 0) return 'No runs found.';
  if (looping === 0)
    return `No loops in ${counted(trajectories, 'run')} with ${counted(steps, 'step')}.`;
  const costs = [
    `${number(wastedSteps)} of ${counted(steps, 'step')} wasted (${share(wastedSteps, steps)})`,
    ...wastedShare(totals),
  ];
  return `Found ${counted(loops, 'loop')} in ${number(looping)} of ${number(trajectories)} runs: ${costs.join(', ')}.`;
}
