import { counted } from '../report/figures.ts';
import type { RoadmapLimit } from '../tasks/roadmap-run.ts';
import type { RunState } from './run-state.ts';

/** What ends a run, and how it is known to be done. */
export interface RunSettings {
  maxIterations: number;
  /** Milliseconds. */
  maxRuntime: number;
  /** US dollars, as far as the agent reports them. */
  maxCost?: number;
  /** Failed iterations in a row. */
  maxErrors: number;
  /** Iterations alike that make a loop. */
  loopThreshold: number;
  /** Milliseconds for one iteration. */
  iterationTimeout: number;
  /** No iteration begins after this time, in epoch milliseconds. */
  until?: number;
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

/** The limit that keeps the next iteration from being started. Loops are looked for between the second and the third. */
export function limitBefore(state: RunState, settings: RunSettings, now: number): RoadmapLimit | undefined {
  if (state.iteration >= settings.maxIterations) return 'max_iterations';
  if (state.spent > 0 && state.spent > settings.maxRuntime - LEAST_TIME) return 'max_runtime';
  if (settings.until !== undefined && now >= settings.until) return 'until';
  if (settings.maxCost !== undefined && state.cost.usd >= settings.maxCost) return 'max_cost';
  return undefined;
}

/** Why a limit was reached, and what to do to go on. */
export function limitReason(limit: RoadmapLimit, { iteration, spent, cost, errors, tried }: RunState, problem = ''): string {
  const goOn = 'unrut run --resume';
  switch (limit) {
    case 'max_iterations':
      return `${counted(iteration, 'iteration')} ${iteration === 1 ? 'was' : 'were'} run. To resume: ${goOn} --max-iterations ${iteration * 2}`;
    case 'max_runtime':
      return `The iterations took ${counted(Math.round(spent / 1000), 'second')}. To resume: ${goOn} --max-runtime ${Math.ceil((spent * 2) / 60_000)}m`;
    case 'max_cost':
      return `The agent reports a cost of $${cost.usd.toFixed(2)}. To resume: ${goOn} --max-cost ${Math.ceil(cost.usd * 2)}`;
    case 'until':
      return `It is later than --until allows. To resume: ${goOn} --until <a later time>`;
    case 'provider_limit':
      return `${problem || 'The provider allows no more for now.'} To resume: ${goOn}, or let it wait longer with --max-wait`;
    case 'consecutive_errors':
      return `${errors === 1 ? 'An iteration' : `${errors} iterations in a row`} failed, the last like this: ${tried.at(-1)?.what ?? 'it said nothing'}. Once this is fixed, resume: ${goOn}`;
  }
}
