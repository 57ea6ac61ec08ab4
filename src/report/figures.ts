import type { Totals } from './scan-report.ts';

/** `1,234`. */
export const number = (value: number): string => Math.round(value).toLocaleString('en-US');

/** `1 loop`, `2 loops`. */
export const counted = (value: number, what: string): string => `${number(value)} ${what}${value === 1 ? '' : 's'}`;

/** `950`, `12.3k`, `4.5M`. */
export function short(value: number): string {
  if (value < 1000) return String(Math.round(value));
  const [unit, by] = value < 999_500 ? ['k', 1e3] : ['M', 1e6];
  return `${(value / (by as number)).toFixed(value / (by as number) < 100 ? 1 : 0)}${unit}`;
}

/** `$0.42`; what is less than a cent is never shown as nothing. */
export const dollars = (value: number): string => (value > 0 && value < 0.005 ? 'under $0.01' : `$${value.toFixed(2)}`);

/** `38%`; a share above zero is never shown as 0%. */
export function share(part: number, whole: number): string {
  if (whole === 0 || part === 0) return '0%';
  const percent = (part / whole) * 100;
  return percent < 1 ? 'under 1%' : `${Math.round(percent)}%`;
}

/** The result of a scan in one sentence. */
export function summary(totals: Totals): string {
  const { trajectories, steps, looping, loops, wastedSteps, tokens, wastedTokens, usd, wastedUsd } = totals;
  if (trajectories === 0) return 'No runs found.';
  if (looping === 0) return `No loops in ${counted(trajectories, 'run')} with ${counted(steps, 'step')}.`;
  const costs = [`${number(wastedSteps)} of ${counted(steps, 'step')} wasted (${share(wastedSteps, steps)})`];
  if (tokens && wastedTokens !== undefined)
    costs.push(`${short(wastedTokens)} of ${short(tokens)} tokens (${share(wastedTokens, tokens)})`);
  if (usd && wastedUsd !== undefined) costs.push(`${dollars(wastedUsd)} of ${dollars(usd)}`);
  return `Found ${counted(loops, 'loop')} in ${number(looping)} of ${number(trajectories)} runs: ${costs.join(', ')}.`;
}
