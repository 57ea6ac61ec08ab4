import { UnrutError } from '@unrut/engine/errors';
import type { AgentEvent, EventOrigin } from '@unrut/engine/event';
import { createGuard, type GuardOptions, type Verdict } from '@unrut/engine/guard';
import type { Plan } from '@unrut/engine/policy/plan';
import type { Fault } from '@unrut/engine/signal';
import type { Prices } from '@unrut/reading/prices';

/** Anything that judges events: a guard, `recordTo(ledger)` or `createClient()`. */
export interface EventJudge {
  observe(event: AgentEvent): Verdict | PromiseLike<Verdict>;
}

/** Which run a plan or a conversation belongs to. */
export interface SessionName {
  session: string;
  /** A nested agent in it. */
  agent?: string;
}

/** The options of every framework: those of `createGuard`, and these. */
export interface FrameworkOptions extends GuardOptions {
  /**
   * Who judges. The options of `createGuard` are ignored with it. Default: a guard of these
   * options, for which nobody can be asked.
   */
  guard?: EventJudge;
  /**
   * The name of the session. Default: the framework's own, else a new one for each conversation.
   */
  session?: string;
  /** Is added to every event: the release, the team, the person. The framework is the host. */
  origin?: EventOrigin;
  /** Is told every plan as it is performed; in shadow mode, what would have been done. */
  onPlan?: (plan: Plan, about: SessionName & { shadow?: true }) => void;
  /** Is told what went wrong inside Unrut. The run continues as without it. */
  onFault?: (fault: Fault) => void;
  /**
   * Dollars per million tokens, by the name of the model or its beginning, where the provider
   * reports tokens but no cost. Default: none.
   */
  prices?: Prices;
  /** How a run is stopped: with a last answer, or with a `LoopError`. Default: `answer`. */
  onStop?: 'answer' | 'throw';
}

/** Thrown on `onStop: 'throw'` only. */
export class LoopError extends UnrutError {
  readonly plan: Plan;

  constructor(plan: Plan) {
    super('loop', plan.toHuman);
    this.name = 'LoopError';
    this.plan = plan;
  }
}

/** The judge of these options, which can do what the adapter can. */
export function judgeOf(given: FrameworkOptions, can: GuardOptions['can']): EventJudge {
  const { guard, session, origin, onPlan, onFault, onStop, prices, ...options } = given;
  return guard ?? createGuard({ can, attended: false, ...options });
}

/** A judge that has not answered by then is not waited for. */
const MAX_WAIT = 2000;

/** What a judge says, if it says so in time. */
export async function inTime<T>(answer: T | PromiseLike<T>, late: () => void): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const waited = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      late();
      reject(new Error(`the guard gave no answer within ${MAX_WAIT} ms`));
    }, MAX_WAIT);
  });
  try {
    return await Promise.race([answer, waited]);
  } finally {
    clearTimeout(timer);
  }
}
