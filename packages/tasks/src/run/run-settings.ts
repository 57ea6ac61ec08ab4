import { counted } from '@unrut/ledger/report/figures';
import type { RoadmapLimit, RoadmapLimits } from '../roadmap-run.ts';
import type { RunState } from './run-state.ts';

/** What ends a run, and how it is known to be done. */
export interface RunSettings
  extends Required<Omit<RoadmapLimits, 'maxCost' | 'until'>>,
    Pick<RoadmapLimits, 'maxCost' | 'until'> {
  /** Iterations alike that make a loop. */
  loopThreshold: number;
  /** What the agent prints at its end when it is done. */
  promise: string;
  /** The promise counts: always, unless there are checks. */
  needsPromise: boolean;
  /** Commands that must all succeed. */
  checks: readonly string[];
  /** Goes on in one conversation, where the agent can. */
  keepsConversation?: boolean;
  /** Loops are recorded, and nothing is done about them. */
  shadow: boolean;
}

/** An iteration with less time left would be cut off at once. */
const LEAST_TIME = 1000;

/**
 * The limit that keeps the next iteration from being started. Loops are looked for between the
 * second and the third.
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

/** The command that goes on after a limit, with these in place of the one that was reached. */
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

/** Why a limit was reached, and what to do to go on. */
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
