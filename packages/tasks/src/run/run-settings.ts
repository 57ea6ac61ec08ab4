import { counted } from '@unrut/ledger/report/figures';
import type { RoadmapLimit, RoadmapLimits } from '../roadmap-run.ts';
import type { RunState } from './run-state.ts';

/** The limits of a run, and when it counts as done. */
export interface RunSettings
  extends Required<Omit<RoadmapLimits, 'maxCost' | 'until'>>,
    Pick<RoadmapLimits, 'maxCost' | 'until'> {
  /** Number of equal iterations that make a loop. */
  loopThreshold: number;
  /** The text the agent prints at the end if it is done. */
  promise: string;
  /** The promise is required: always, unless there are checks. */
  needsPromise: boolean;
  /** Commands that must all succeed. */
  checks: readonly string[];
  /** Resumes one conversation in every iteration, if the agent can. */
  keepsConversation?: boolean;
  /** Only records loops. */
  shadow: boolean;
}

/** An iteration with less time left would be interrupted at once. */
const LEAST_TIME = 1000;

/**
 * The limit that prevents the next iteration. Loops are checked between the second and the third.
 */
export function limitBefore(
  state: RunState,
  settings: RunSettings,
  now: number,
): RoadmapLimit | undefined {
  if (state.iteration >= settings.maxIterations) return 'max_iterations';
  if (state.spent > 0 && state.spent > settings.maxRuntime - LEAST_TIME) return 'max_runtime';
  if (settings.until !== undefined && now >= settings.until) return 'until';
  if (settings.maxCost !== undefined && state.cost.usd >= settings.maxCost) return 'max_cost';
  return undefined;
}

/**
 * The command that resumes the run after a limit, with the given arguments in place of that limit.
 */
export function resumeCommand(
  limit: RoadmapLimit,
  next: { iterations: number; milliseconds: number; usd: number },
): string {
  const more: Partial<Record<RoadmapLimit, string>> = {
    max_iterations: ` --max-iterations ${next.iterations}`,
    max_runtime: ` --max-runtime ${Math.ceil(next.milliseconds / 60_000)}m`,
    max_cost: ` --max-cost ${next.usd}`,
    until: ' --until <a later time>',
    provider_limit: ', or let it wait longer with --max-wait',
  };
  return `unrut run --resume${more[limit] ?? ''}`;
}

/** Why a limit was reached, and how to continue. */
export function limitReason(
  limit: RoadmapLimit,
  { iteration, spent, cost, errors, tried }: RunState,
  problem = '',
): string {
  const resume = resumeCommand(limit, {
    iterations: iteration * 2,
    milliseconds: spent * 2,
    usd: Math.ceil(cost.usd * 2),
  });
  if (limit === 'consecutive_errors')
    return `${errors === 1 ? 'An iteration' : `${errors} iterations in a row`} failed, the last like this: ${tried.at(-1)?.what ?? 'it said nothing'}. Once this is fixed, resume: ${resume}`;
  const why: Record<typeof limit, string> = {
    max_iterations: `${counted(iteration, 'iteration')} ${iteration === 1 ? 'was' : 'were'} run.`,
    max_runtime: `The iterations took ${counted(Math.round(spent / 1000), 'second')}.`,
    max_cost: `The agent reports a cost of $${cost.usd.toFixed(2)}.`,
    budget: problem,
    until: 'It is later than --until allows.',
    provider_limit: problem || 'The provider allows no more for now.',
  };
  return `${why[limit]} To resume: ${resume}`;
}
