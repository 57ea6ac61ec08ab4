import { counted, dollars } from '@unrut/ledger/report/figures';
import type { RoadmapStatus } from '@unrut/tasks';

/** Time, cost and loops of a run so far. */
export type RunTotals = Pick<RoadmapStatus, 'milliseconds' | 'cost' | 'signals'>;

/** Time, cost and loops of a run; time and cost with their limits if there are any. */
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
  const loops = [signals === 0 ? 'no loops' : 'loops noticed'];
  return [time, ...money, ...counts, loops].map((parts) => parts.join(' of '));
}

function timeText(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1000);
  return seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
}
