import type { Call, CallFinished, TextAdded } from '@unrut/engine/event';
import type { Verdict } from '@unrut/engine/guard';
import { hash64 } from '@unrut/engine/hash';
import { present } from '@unrut/engine/json';
import type { Plan } from '@unrut/engine/policy/plan';
import { push, type Recent, recall, remember } from '@unrut/engine/recent';
import { createJudging, eventBase, sessionNameOf } from './judging.ts';
import type { CheckedOptions, LoopWork, SessionName } from './options.ts';

/** How a call ended, as the model sees it. */
export type Ended = Pick<
  CallFinished,
  'result' | 'error' | 'refusedBy' | 'exitCode' | 'durationMs'
>;

/** The actions before a call runs. */
export interface BeforeRun {
  /** The call must not run; the model reads why. */
  refuse?: Plan;
  /** The run ends. */
  stop?: Plan;
}

/** The actions after a call. */
export interface AfterRun {
  /** To be added to its result. */
  note?: { toModel: string; toHuman: string };
  /** A user should be asked, if possible. */
  ask?: Plan;
  stop?: Plan;
}

/**
 * Guards calls in frameworks with hooks around tools. Never throws; after a fault there are no
 * actions.
 */
export interface ToolRuns {
  propose(of: SessionName, call: Call): Promise<BeforeRun>;
  /** Each call ends once, however many hooks tell of it. */
  finish(of: SessionName, call: Call, how: Ended): Promise<AfterRun>;
  user(of: SessionName, text: string): Promise<void>;
  /** A whole message of the model. */
  said(of: SessionName, text: string, channel?: TextAdded['channel']): Promise<void>;
  compacted(of: SessionName): Promise<void>;
  ended(of: SessionName, outcome?: string): Promise<void>;
  fault(error: unknown): void;
  /** Throws if the user wants a stop to be an error, or if an answer would not match a schema. */
  end(plan: Plan, work: LoopWork, hasSchema?: boolean): void;
}

/** A call that runs. */
interface OpenCall {
  id: string;
  /** The name for this call's events: its id, unless the server gives all calls the same id. */
  name: string;
  print: string;
  batch: string;
  since: number;
}

interface Run {
  open: OpenCall[];
  done: string[];
  count: number;
  /** Calls that are proposed one right after the other are of one response. */
  batch: string | null;
  /** Texts that wait for the next result. */
  untold: Plan[];
  /** Until a person speaks. */
  stopped: Plan | null;
  /** When the model was asked last, as far as can be seen. */
  since: number;
}

const MAX_RUNS = 200;
const MAX_CALLS = 128;

export function createToolRuns(name: string, options: CheckedOptions): ToolRuns {
  const { observe, isResting, fault, tell, performed, end } = createJudging(name, options);
  const runs: Recent<Run> = [];

  const runOf = ({ session, agent = '' }: SessionName): Run => {
    const key = JSON.stringify([session, agent]);
    const begun = {
      open: [],
      done: [],
      count: 0,
      batch: null,
      untold: [],
      stopped: null,
      since: Date.now(),
    };
    return recall(runs, key) ?? remember(runs, key, begun, MAX_RUNS);
  };

  /** The plan of a verdict, passed to `onPlan`. */
  function planOf(of: SessionName, run: Run, { plan, shadow }: Verdict): Plan | null {
    if (shadow) tell(shadow, { ...sessionNameOf(of), shadow: true });
    if (plan) tell(plan, sessionNameOf(of));
    if (plan?.rung === 'stop') run.stopped = plan;
    return plan;
  }

  async function safely<T extends object>(what: () => Promise<T>): Promise<T> {
    if (isResting()) return {} as T;
    try {
      return await what();
    } catch (error) {
      fault(error);
      return {} as T;
    }
  }

  const eventOf = (of: SessionName, named: string, type: string) =>
    eventBase(
      of,
      [of.session, ...(of.agent === undefined ? [] : [of.agent]), named, type].join(' '),
    );

  async function propose(of: SessionName, call: Call): Promise<BeforeRun> {
    const run = runOf(of);
    if (run.stopped) return { stop: run.stopped };
    if (run.open.some(({ id }) => id === call.id)) return {};
    const print = hash64(JSON.stringify([call.tool, call.args]));
    const isAgain = run.done.includes(call.id);
    run.done = run.done.filter((id) => id !== call.id);
    const named = isAgain || call.id === '' ? `${call.id} ${++run.count}` : call.id;
    // The same call again was made later: the one before it never ended.
    if (run.batch === null || run.open.some((other) => other.print === print)) run.batch = named;
    const now = Date.now();
    const open = { id: call.id, name: named, print, batch: run.batch, since: now };
    push(run.open, open, MAX_CALLS);
    const { batch } = open;
    const modelMs = now - run.since;
    const verdict = await observe({
      ...eventOf(of, named, 'call-proposed'),
      type: 'call-proposed',
      call,
      batch,
      modelMs,
    });
    const plan = planOf(of, run, verdict);
    if (!plan) return {};
    await performed(of, plan);
    if (plan.rung === 'block' || plan.rung === 'stop') {
      close(run, open);
      const refused = { type: 'call-finished', call, batch, refusedBy: 'unrut' } as const;
      await observe({ ...eventOf(of, named, 'call-finished'), ...refused });
      return plan.rung === 'stop' ? { stop: plan } : { refuse: plan };
    }
    run.untold.push(plan);
    return {};
  }

  async function finish(of: SessionName, call: Call, how: Ended): Promise<AfterRun> {
    const run = runOf(of);
    const open = run.open.find(({ id }) => id === call.id);
    if (!open && run.done.includes(call.id)) return {};
    close(run, open ?? call);
    const now = Date.now();
    run.since = now;
    const took = open && how.refusedBy === undefined ? { durationMs: now - open.since } : {};
    const named = open?.name ?? call.id;
    const batch = open ? { batch: open.batch } : {};
    const event = {
      ...eventOf(of, named, 'call-finished'),
      type: 'call-finished',
      call,
      ...batch,
      ...took,
      ...how,
    } as const;
    const plan = planOf(of, run, await observe(event));
    if (plan) await performed(of, plan, plan.rung === 'block');
    const told = run.untold.splice(0);
    if (plan && ['note', 'hint', 'escalate'].includes(plan.rung)) told.push(plan);
    const joined = (of: 'toModel' | 'toHuman'): string => told.map((each) => each[of]).join('\n\n');
    return {
      ...(told.length === 0
        ? {}
        : { note: { toModel: joined('toModel'), toHuman: joined('toHuman') } }),
      ...(plan?.rung === 'escalate' ? { ask: plan } : {}),
      ...(run.stopped ? { stop: run.stopped } : {}),
    };
  }

  function close(run: Run, { id }: { id: string }): void {
    run.open = run.open.filter((other) => other.id !== id);
    run.batch = null;
    push(run.done, id, MAX_CALLS);
  }

  const doing = async (what: () => Promise<unknown>): Promise<void> => {
    await safely(async () => ({ done: await what() }));
  };

  return {
    propose: (of, call) => safely(() => propose(of, call)),
    finish: (of, call, how) => safely(() => finish(of, call, how)),
    user: (of, text) =>
      doing(() => {
        const run = runOf(of);
        Object.assign(run, { stopped: null, batch: null, since: Date.now() });
        return observe({ ...eventBase(of), type: 'user-spoke', text });
      }),
    said: (of, text, channel = 'answer') =>
      doing(async () => {
        if (text.trim() === '') return;
        const run = runOf(of);
        const plan = planOf(
          of,
          run,
          await observe({ ...eventBase(of), type: 'text-added', text, channel, done: true }),
        );
        if (!plan) return;
        if (plan.rung !== 'stop') run.untold.push(plan);
        await performed(of, plan);
      }),
    compacted: (of) => doing(() => observe({ ...eventBase(of), type: 'context-compacted' })),
    ended: (of, outcome) =>
      doing(() =>
        observe({
          ...eventBase(of),
          type: 'session-ended',
          ...present({ outcome }),
        }),
      ),
    fault,
    end,
  };
}
