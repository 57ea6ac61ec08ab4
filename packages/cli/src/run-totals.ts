import { counted, dollars } from '@unrut/ledger/report/figures';
import type { RoadmapStatus } from '@unrut/tasks';

/** What a run has taken so far. */
export type RunTotals = Pick<RoadmapStatus, 'milliseconds' | 'cost' | 'signals'>;

/** Time, cost and signals of a run, each with its limit where there is one. */
export function runTotals(
  { milliseconds, cost: { tokens, usd }, signals }: RunTotals,
  { maxRuntime, maxCost }: { maxRuntime?: number | undefined; maxCost?: number | undefined } = {},
): string[] {
  const time = [milliseconds, maxRuntime].filter((each) => each !== undefined).map(timeText);
  const money =
    usd > 0 || maxCost !== undefined
      ? [[usd, maxCost].filter((each) => each !== undefined).map(dollars)]
      : [];
  const counts = money.length === 0 && tokens > 0 ? [[counted(tokens, 'token')]] : [];
  return [time, ...money, ...counts, [counted(signals, 'signal')]].map((parts) =>
    parts.join(' of '),
  );
}

function timeText(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1000);
  return seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
}
