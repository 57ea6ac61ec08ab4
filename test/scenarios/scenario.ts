import type { AgentEvent, Capability, RefusedBy } from '@unrut/engine/event';
import type { Annotations, Screen } from '@unrut/engine/event-parts';
import { expect, test } from 'vitest';
import { createGuard } from '../../packages/cli/src/index.ts';

export type GuardOptions = NonNullable<Parameters<typeof createGuard>[0]>;
export type Guard = ReturnType<typeof createGuard>;
export type Verdict = ReturnType<Guard['observe']>;
export type Plan = NonNullable<Verdict['plan']>;

/** What the host of every scenario can do unless the row says otherwise. */
export const CAN: Capability[] = ['note', 'hint', 'block', 'escalate', 'stop'];

interface Common {
  /** Seconds that pass before it; 5 unless said. */
  wait?: number;
  session?: string;
  agent?: string;
  parent?: string;
  speaker?: string;
}

/** One tool call and what it answered. */
export interface CallStep extends Common {
  tool: string;
  args?: unknown;
  result?: unknown;
  error?: unknown;
  exitCode?: number;
  refusedBy?: RefusedBy;
  durationMs?: number;
  /** How long the model took for the response; set where the call is announced. */
  modelMs?: number;
  annotations?: Annotations;
}

/** Calls of one response: all proposed, then all finished, at one time. */
export interface Parallel {
  parallel: CallStep[];
  batch?: string;
  wait?: number;
}

export interface ActionStep extends Common {
  action: { type: string; [parameter: string]: unknown };
  target?: { role?: string; name?: string };
  screen?: Screen;
  effect?: unknown;
}

/** Anything else that happens, without its time and session. */
export interface Happening extends Common {
  event: { type: AgentEvent['type']; [field: string]: unknown };
}

export type Item = CallStep | Parallel | ActionStep | Happening;

/** `both` announces each call before it runs, `finished` only reports it. */
export type Mode = 'both' | 'finished';
export const MODES: Mode[] = ['both', 'finished'];

export interface Moment {
  /** The call that it belongs to, from 1. */
  call: number;
  event: AgentEvent;
  verdict: Verdict;
}

export interface Setup {
  mode?: Mode;
  options?: GuardOptions;
  /** Runs blocked calls all the same. */
  ignores?: boolean;
  /** Stands in for a fresh guard. */
  observe?: (event: AgentEvent) => Verdict | Promise<Verdict>;
}

export const says = (text?: string): Happening => ({ event: { type: 'user-spoke', text } });
export const compaction: Happening = { event: { type: 'context-compacted' } };

export const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));

/** Repeats the items in turn until there are `count`. */
export const inTurn = (count: number, items: Item[]): Item[] =>
  times(count, (index) => ({ ...items[index % items.length]! }));

const START = 1_760_000_000_000;

/** Plays a run through a guard, obeying its blocks unless `ignores` is set. */
export async function play(items: Item[], setup: Setup = {}): Promise<Moment[]> {
  const { mode = 'both', ignores = false } = setup;
  const guard = createGuard({ can: CAN, ...setup.options });
  const observe = setup.observe ?? ((event: AgentEvent) => guard.observe(event));
  const moments: Moment[] = [];
  let at = START;
  let calls = 0;

  const see = async (call: number, event: object, common: Common): Promise<Verdict> => {
    const { session = 's', agent, parent, speaker } = common;
    const whole = { session, agent, parent, speaker, ...event };
    const known = Object.fromEntries(
      Object.entries(whole).filter(([, value]) => value !== undefined),
    ) as unknown as AgentEvent;
    const verdict = await observe(known);
    moments.push({ call, event: known, verdict });
    return verdict;
  };

  for (const item of items) {
    at += (item.wait ?? 5) * 1000;
    if ('event' in item) {
      await see(calls, { ...item.event, at }, item);
    } else if ('action' in item) {
      const { action, target, screen, effect } = item;
      calls++;
      if (mode === 'both')
        await see(calls, { type: 'action-proposed', at, action, target, screen }, item);
      await see(
        calls,
        { type: 'action-finished', at: at + 300, action, target, screen, effect },
        item,
      );
    } else {
      const steps = 'parallel' in item ? item.parallel : [item];
      const batch = 'parallel' in item ? item.batch : undefined;
      const refusals: (string | undefined)[] = [];
      for (const [index, step] of steps.entries()) {
        if (mode !== 'both') continue;
        const number = calls + index + 1;
        const call = { id: `call-${number}`, tool: step.tool, args: step.args ?? {} };
        const { plan } = await see(
          number,
          {
            type: 'call-proposed',
            at,
            call,
            batch,
            annotations: step.annotations,
            modelMs: step.modelMs,
          },
          step,
        );
        if (plan?.rung === 'block' && !ignores) refusals[index] = plan.toModel;
      }
      const finishedAt = at + Math.max(...steps.map((step) => step.durationMs ?? 300));
      for (const [index, step] of steps.entries()) {
        const number = calls + index + 1;
        const {
          tool,
          args = {},
          result,
          error,
          exitCode,
          refusedBy,
          durationMs,
          annotations,
        } = step;
        const call = { id: `call-${number}`, tool, args };
        const answer =
          refusals[index] === undefined
            ? { result, error, exitCode, refusedBy }
            : { refusedBy: 'unrut', result: refusals[index] };
        await see(
          number,
          {
            type: 'call-finished',
            at: finishedAt,
            call,
            batch,
            annotations,
            durationMs,
            ...answer,
          },
          step,
        );
      }
      calls += steps.length;
      at = finishedAt;
    }
  }
  return moments;
}

/**
 * When the first signal comes: the exact call, any of a range, any of a list, never, or with notes
 * only.
 */
export type Expected =
  | number
  | { from: number; to: number }
  | { oneOf: number[] }
  | 'never'
  | 'quiet';

export const firstSignal = (moments: Moment[]): number | undefined =>
  moments.find(({ verdict }) => verdict.signals.length > 0)?.call;

export const plansOf = (moments: Moment[]): { call: number; event: AgentEvent; plan: Plan }[] =>
  moments.flatMap(({ call, event, verdict }) =>
    verdict.plan ? [{ call, event, plan: verdict.plan }] : [],
  );

/** One line per signal and plan, for the message of a failing test. */
export function told(moments: Moment[]): string {
  const lines = moments.flatMap(({ call, event, verdict }) => [
    ...verdict.signals.map(
      (signal) =>
        `call ${call} ${event.type}: ${signal.detector}/${signal.variant} ${signal.rung} ×${signal.count}`,
    ),
    ...(verdict.plan
      ? [`call ${call} ${event.type}: plan ${verdict.plan.rung} by ${verdict.plan.recovery}`]
      : []),
  ]);
  return lines.length === 0 ? 'nothing was signalled' : lines.slice(0, 12).join('\n');
}

export function expectRun(moments: Moment[], expected: Expected): void {
  const story = told(moments);
  expect(
    moments.flatMap(({ verdict }) => verdict.faults),
    'faults',
  ).toEqual([]);
  if (expected === 'never') {
    expect(firstSignal(moments), story).toBeUndefined();
    expect(plansOf(moments), story).toEqual([]);
  } else if (expected === 'quiet') {
    const rungs = moments.flatMap(({ verdict }) => [
      ...verdict.signals.map(({ rung }) => rung),
      ...(verdict.plan ? [verdict.plan.rung] : []),
    ]);
    expect(
      rungs.filter((rung) => rung !== 'note'),
      story,
    ).toEqual([]);
  } else {
    const first = firstSignal(moments);
    expect(first, story).toBeDefined();
    if (typeof expected === 'number') expect(first, story).toBe(expected);
    else if ('oneOf' in expected) expect(expected.oneOf, story).toContain(first);
    else {
      expect(first, story).toBeGreaterThanOrEqual(expected.from);
      expect(first, story).toBeLessThanOrEqual(expected.to);
    }
    expect(
      plansOf(moments)[0]?.call ?? first,
      'no plan before the first signal',
    ).toBeGreaterThanOrEqual(first!);
  }
}

/** One row of the table: each variant is played announced and unannounced. */
export function scenario(
  title: string,
  expected: Expected,
  variants: Record<string, Item[]>,
  setup: Setup = {},
): void {
  for (const [variant, items] of Object.entries(variants)) {
    for (const mode of MODES) {
      test(`${title}: ${variant}${mode === 'finished' ? ', calls unannounced' : ''}`, async () => {
        expectRun(await play(items, { ...setup, mode }), expected);
      });
    }
  }
}
