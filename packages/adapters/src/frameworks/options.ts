import { UnrutError } from '@unrut/engine/errors';
import type { AgentEvent } from '@unrut/engine/event';
import type { EventOrigin } from '@unrut/engine/event-parts';
import { createGuard, type GuardOptions, inShadow, type Verdict } from '@unrut/engine/guard';
import { combineRules, type GuardRules } from '@unrut/engine/guard-rules';
import type { Plan } from '@unrut/engine/policy/plan';
import type { Fault } from '@unrut/engine/signal';
import type { Prices } from '@unrut/reading/prices';

/** Anything that judges events: a guard, `recordTo(ledger)` or `createClient()`. */
export interface EventJudge {
  observe(event: AgentEvent): Verdict | PromiseLike<Verdict>;
  /**
   * The same judge under these rules too, as `guard.with`. A judge without it takes `shadow` only.
   */
  with?(rules: GuardRules, usual?: Pick<GuardRules, 'attended'>): EventJudge;
}

/** Which run a plan or a conversation belongs to. */
export interface SessionName {
  session: string;
  /** A nested agent in it. */
  agent?: string;
}

/** Options of all frameworks, with or without your own guard. */
interface SharedOptions extends Pick<GuardOptions, 'shadow' | 'can'> {
  /**
   * Whether a user is asked on `escalate`; the model is then told so. Requires `onPlan`, which
   * asks. Default: the value of the given `guard`, otherwise false.
   */
  attended?: boolean;
  /**
   * The session's name. Default: the framework's name for it, otherwise a new one for each
   * conversation.
   */
  session?: string;
  /**
   * Default origin of every event: the release, the team, the person. The framework is the host.
   */
  origin?: EventOrigin;
  /** Called with every plan as it is performed; in shadow mode, with what would have been done. */
  onPlan?: (plan: Plan, about: SessionName & { shadow?: true }) => void;
  /** Called with what went wrong inside Unrut. The run continues as without it. */
  onFault?: (fault: Fault) => void;
  /**
   * Dollars per million tokens, by model name or prefix, for providers that report tokens but no
   * cost. Default: none.
   */
  prices?: Prices;
  /**
   * How a run is stopped: with a last answer, or with a `LoopError`. Default: `answer`; `throw` if
   * the request has an output schema, which the last answer would not match.
   */
  onStop?: 'answer' | 'throw';
}

/** Options of `createGuard` that apply only to the guard itself. */
type OwnOptions = Omit<GuardOptions, 'shadow' | 'attended' | 'can'>;

/** The guard to use; the other options combine with its own. */
interface GivenGuard extends SharedOptions {
  /** The guard to use. Default: a new one with these options. */
  guard: EventJudge;
}

/**
 * The options of every framework: those of `createGuard`, or a `guard` and what combines with it.
 */
export type FrameworkOptions =
  | (SharedOptions & OwnOptions & { guard?: undefined })
  | (GivenGuard & { [Name in keyof OwnOptions]?: undefined });

/** The options after validation. */
export type CheckedOptions = SharedOptions & OwnOptions & { guard?: EventJudge | undefined };

/** A summary of the work in a stopped run. */
export interface LoopWork {
  session: string;
  /** The conversation that the model was asked about last, in the framework's own form. */
  messages: readonly unknown[];
}

/**
 * Thrown when a run is stopped on `onStop: 'throw'`, and by default if the answer had to match a
 * schema.
 */
export class LoopError extends UnrutError {
  readonly plan: Plan;
  readonly work: LoopWork;

  constructor(plan: Plan, work: LoopWork) {
    super('loop', plan.toHuman);
    this.name = 'LoopError';
    this.plan = plan;
    this.work = work;
  }
}

/** Options that are of the adapters, and those that a given guard combines with. */
const BESIDE_GUARD: readonly string[] = [
  'guard',
  'shadow',
  'attended',
  'can',
  'session',
  'origin',
  'onPlan',
  'onFault',
  'onStop',
  'prices',
];

/**
 * The guard of these options, limited to the adapter's abilities. `asks`: the framework itself asks
 * the user on `escalate`.
 */
export function judgeOf(
  name: string,
  given: CheckedOptions,
  { can, asks = false }: { can?: GuardOptions['can']; asks?: boolean },
): EventJudge {
  const { guard, session, origin, onPlan, onFault, onStop, prices, ...options } = given;
  if (options.attended && !onPlan && !asks)
    throw new UnrutError(
      'bad-option',
      `[${name}] attended: expected \`onPlan\`, which asks somebody when the rung is escalate, got none. Leave attended out if nobody is asked.`,
    );
  if (!guard) return createGuard({ can, attended: asks, ...options });
  const wrong = Object.entries(given)
    .filter(([key, value]) => value !== undefined && !BESIDE_GUARD.includes(key))
    .map(([key]) => key);
  if (wrong.length > 0)
    throw new UnrutError(
      'bad-option',
      `[${name}] ${wrong.join(', ')}: expected only ${BESIDE_GUARD.slice(1).join(', ')} together with guard. Set ${wrong.join(', ')} where the guard is created.`,
    );
  const { shadow, attended } = given;
  const able = combineRules({ can }, { can: given.can }).can;
  if (guard.with) return guard.with({ shadow, attended, can: able }, { attended: asks });
  const unknown = attended !== undefined ? 'attended' : given.can ? 'can' : undefined;
  if (unknown !== undefined)
    throw new UnrutError(
      'bad-option',
      `[${name}] ${unknown}: expected a guard with the method \`with\`, got one without. Set ${unknown} where the guard is created.`,
    );
  return shadow ? recordingOnly(guard) : guard;
}

/** A judge that never acts, whatever it plans. */
const recordingOnly = (judge: EventJudge): EventJudge => ({
  observe(event) {
    const verdict = judge.observe(event);
    return 'then' in verdict ? verdict.then(inShadow) : inShadow(verdict);
  },
});

/** A judge that has not answered by then is not waited for. */
const MAX_WAIT = 2000;

/** A guard's verdict, with a timeout. */
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
