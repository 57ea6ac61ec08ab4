import { UnrutError } from '@unrut/engine/errors';
import type { AgentEvent, Capability, EventBase } from '@unrut/engine/event';
import type { Verdict } from '@unrut/engine/guard';
import { present } from '@unrut/engine/json';
import type { Plan } from '@unrut/engine/policy/plan';
import { MAX_ORIGIN_LENGTH, whyNotAnOrigin } from '@unrut/engine/read-event';
import { toFault } from '@unrut/engine/redact/to-fault';
import {
  type CheckedOptions,
  inTime,
  judgeOf,
  LoopError,
  type LoopWork,
  type SessionName,
} from './options.ts';

/** How an adapter calls its guard, and reports plans and faults to the user. */
export interface Judging {
  /** The guard's verdict. Throws the guard's errors, and after a timeout. */
  observe(event: AgentEvent): Promise<Verdict>;
  /** The same synchronously; null if the guard is asynchronous. */
  observeNow(event: AgentEvent): Verdict | null;
  /** The judge answers later, so it is not asked about every piece of a text. */
  isSlow(): boolean;
  /** The judge gave no answer of late, and is left alone. */
  isResting(): boolean;
  fault(error: unknown): void;
  tell(plan: Plan, about: SessionName & { shadow?: true }): void;
  performed(of: SessionName, plan: Plan, failed?: boolean): Promise<void>;
  /** Ends a run: throws if the user wants that, or if a text answer would violate a schema. */
  end(plan: Plan, work: LoopWork, hasSchema?: boolean): void;
}

/** How long a guard that gave no answer is left alone. */
const REST = 30_000;

/** The common fields of a run's events. */
export const eventBase = (
  name: SessionName & { model?: string | undefined },
  id?: string,
): EventBase => ({
  ...sessionNameOf(name),
  ...(name.model === undefined
    ? {}
    : { origin: { model: name.model.slice(0, MAX_ORIGIN_LENGTH) } }),
  at: Date.now(),
  ...present({ id }),
});

/** Only the fields that name a run. */
export const sessionNameOf = ({ session, agent }: SessionName): SessionName => ({
  session,
  ...present({ agent }),
});

export function createJudging(
  name: string,
  options: CheckedOptions,
  able: { can?: readonly Capability[]; asks?: boolean } = {},
): Judging {
  const judge = judgeOf(name, options, able);
  const wrong = whyNotAnOrigin(options.origin);
  if (wrong !== undefined) throw new UnrutError('bad-option', `[${name}] ${wrong}.`);
  const whence = { host: name, ...options.origin };
  const judged = (event: AgentEvent): ReturnType<typeof judge.observe> =>
    judge.observe({ ...event, origin: { ...whence, ...event.origin } });
  let isSlow = false;
  let restsUntil = 0;

  function fault(error: unknown): void {
    try {
      options.onFault?.(toFault(name, error));
    } catch {
      // A caller with `onFault` has one.
    }
  }

  function heard(verdict: Verdict): Verdict {
    for (const { where, message } of verdict.faults) fault(new Error(`${where}: ${message}`));
    return verdict;
  }

  async function observe(event: AgentEvent): Promise<Verdict> {
    const answer = judged(event);
    isSlow = 'then' in answer;
    return heard(
      isSlow ? await inTime(answer, () => (restsUntil = Date.now() + REST)) : (answer as Verdict),
    );
  }

  return {
    observe,
    observeNow: (event) => (isSlow ? null : heard(judged(event) as Verdict)),
    isSlow: () => isSlow,
    isResting: () => Date.now() < restsUntil,
    fault,
    tell(plan, about) {
      try {
        options.onPlan?.(plan, about);
      } catch (error) {
        fault(error);
      }
    },
    async performed(of, { id, rung }, failed = false) {
      await observe({
        ...eventBase(of),
        type: 'plan-performed',
        plan: id,
        rung,
        ...(failed ? { failed: true } : {}),
      });
    },
    end(plan, work, hasSchema = false) {
      const how = options.onStop ?? (hasSchema ? 'throw' : 'answer');
      if (how === 'throw') throw new LoopError(plan, work);
    },
  };
}
