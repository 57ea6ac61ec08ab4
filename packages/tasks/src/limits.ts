import { shareLeft, spentText } from '@unrut/engine/policy/spending';
import { sentence } from '@unrut/engine/recoveries/wording';
import { counted } from '@unrut/ledger/report/figures';
import type { RoadmapLimit, RoadmapLimits } from './roadmap-run.ts';
import type { TaskState } from './task-state.ts';

export interface LimitReached {
  /** The limit that prevents another attempt, with a one-line reason. */
  reached?: { limit: RoadmapLimit; reason: string };
  /** The share of time and money that is left. */
  left: number;
}

/** Whether a limit prevents another attempt. */
export function limitReached(
  state: TaskState,
  spent: number,
  limits: RoadmapLimits,
  now: number,
): LimitReached {
  const { maxRuntime, maxCost, maxErrors = 3 } = limits;
  const { usd } = state.cost;
  const left = Math.min(
    1,
    maxRuntime === undefined ? 1 : 1 - spent / maxRuntime,
    maxCost === undefined ? 1 : 1 - usd / maxCost,
    shareLeft(state.budget ?? {}),
  );
  const reached = (limit: RoadmapLimit, why: string): LimitReached => ({
    left,
    reached: { limit, reason: `${why} (${limit}).` },
  });
  if (maxRuntime !== undefined && spent >= maxRuntime)
    return reached('max_runtime', `The run reached its time limit after ${timeText(spent)}`);
  if (limits.until !== undefined && now >= limits.until)
    return reached('until', 'It is later than was allowed');
  if (maxCost !== undefined && usd >= maxCost)
    return reached('max_cost', `The run reached its cost limit at $${usd.toFixed(2)}`);
  const isSpent = spentText(state.budget ?? {});
  if (isSpent !== undefined) return reached('budget', sentence(isSpent));
  if (state.errors >= maxErrors) {
    const times = state.errors === 1 ? 'once' : `${state.errors} times in a row`;
    return reached(
      'consecutive_errors',
      `The agent failed ${times}${state.problem ? `: ${state.problem}` : ''}`,
    );
  }
  return { left };
}

const timeText = (milliseconds: number): string => {
  const seconds = Math.round(milliseconds / 1000);
  return seconds < 120 ? counted(seconds, 'second') : `${Math.round(seconds / 60)} minutes`;
};
