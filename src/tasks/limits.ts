import type { RoadmapLimits } from './run-roadmap.ts';
import type { TaskState } from './task-state.ts';

/** Why a run may not begin another attempt, if so; and the share of its time and money that is left. */
export function limitReached(state: TaskState, spent: number, limits: RoadmapLimits): { reason?: string; left: number } {
  const { maxRuntime, maxCost, maxErrors = 3 } = limits;
  const { usd } = state.cost;
  const left = Math.min(1, maxRuntime === undefined ? 1 : 1 - spent / maxRuntime, maxCost === undefined ? 1 : 1 - usd / maxCost);
  if (maxRuntime !== undefined && spent >= maxRuntime)
    return { left, reason: `The run has taken ${Math.round(spent / 60_000)} minutes, as long as allowed (max_runtime).` };
  if (maxCost !== undefined && usd >= maxCost)
    return { left, reason: `The run has cost $${usd.toFixed(2)}, as much as allowed (max_cost).` };
  if (state.errors >= maxErrors) return { left, reason: `The agent failed ${state.errors} times in a row (consecutive_errors).` };
  return { left };
}
