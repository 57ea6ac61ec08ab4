import { type AccountSums, isOfLoop } from '@unrut/engine/account/account';
import { isOnTrial } from '@unrut/engine/detectors';
import type { Outcome } from '@unrut/engine/outcome/outcome';
import { hasFailed, type RecordedEntry } from '../reports/recorded-entry.ts';
import { type HourChanges, HourSums, type PlanPlace } from './hour-changes.ts';
import { DAY, HOUR } from './hour-figures.ts';
import { withinRange } from './session-figures.ts';

/** The dimensions of a session's hourly figures. */
type Dimensions = Record<'team' | 'host' | 'model' | 'release', string>;

/** The saved state of the count. Times are epoch milliseconds. */
export interface KeptHours {
  /** The latest hours with activity, as hours since 1970. */
  seen: number[];
  /**
   * The time of the last event, and of the last noticed loop: the session is counted once, in these
   * hours.
   */
  lastEvent: number | null;
  lastLoop: number | null;
  /** The dimensions under which the session was counted there, if known. */
  under: { lastEvent?: Dimensions; lastLoop?: Dimensions };
  /** When each detector last spoke. */
  spoke: { [detector: string]: number };
  /** The newest plans, their dimensions, and their outcomes. */
  filed: [plan: string, place: PlanPlace, outcome: Outcome['outcome'] | null][];
  /** The last action of each agent. */
  at: [agent: string, AtWork][];
}

interface AtWork {
  step: number;
  tool: string;
  /**
   * Whether that step was already counted as part of a loop, since several detectors may report
   * one.
   */
  isCounted: boolean;
}

export const startHours = (): KeptHours => ({
  seen: [],
  lastEvent: null,
  lastLoop: null,
  under: {},
  spoke: {},
  filed: [],
  at: [],
});

/** Late entries rarely arrive more than this many hours late. */
const MAX_SEEN = 48;
/** Events that count as one tool use. For screen agents, the kinds of action are the tools. */
const USES_TOOL: ReadonlySet<string> = new Set(['call-finished', 'action-finished']);
/** There are fewer detectors; further names are invalid input. */
const MAX_DETECTORS = 24;
const MAX_PLANS = 1000;

/** The number of an hour since 1970. */
export const hourNumber = (at: number): number => Math.floor(at / HOUR);
const dayOf = (hour: number): number => Math.floor((hour * HOUR) / DAY);

/** Updates hourly figures from a session's entries. */
export function countHours(
  state: KeptHours,
  dimensions: () => Dimensions,
): {
  /** `was` and `now`: the session's sums before and after the entry. */
  add(entry: RecordedEntry, was: AccountSums, now: AccountSums): void;
  take(): HourChanges;
  /** The tool that the agent called at the step of this entry; empty if unknown. */
  toolAt(entry: Pick<RecordedEntry, 'agent' | 'step'>): string;
  kept(plans: number, agents: number): KeptHours;
} {
  const sums = new HourSums();
  const atWork = new Map(state.at);

  function agentOf({ agent = '' }: RecordedEntry): AtWork {
    const at = atWork.get(agent) ?? { step: -1, tool: '', isCounted: false };
    atWork.delete(agent);
    atWork.set(agent, at);
    return at;
  }

  /** A session and its last loop are counted once: moves the count to the latest hour. */
  function move(
    name: 'lastEvent' | 'lastLoop',
    sum: 'last_sessions' | 'last_looping',
    at: number,
  ): void {
    const before = state[name];
    const now = Math.max(at, before ?? at);
    const [was, is] = [state.under[name] ?? dimensions(), dimensions()];
    state[name] = now;
    state.under[name] = is;
    if (before !== null && hourNumber(before) === hourNumber(now) && isSame(was, is)) return;
    if (before !== null) sums.add('hours', before, was, { [sum]: -1 });
    sums.add('hours', now, is, { [sum]: 1 });
  }

  /** Counts the first event of each hour, and the last active hour of each day. */
  function arrive(at: number): void {
    const hour = hourNumber(at);
    if (state.seen.includes(hour)) return;
    const last = state.seen.findLast((each) => dayOf(each) === dayOf(hour)) ?? -1;
    const isLast = hour > last;
    sums.add('hours', at, dimensions(), { sessions: 1, day_sessions: isLast ? 1 : 0 });
    if (isLast && last >= 0) sums.add('hours', last * HOUR, dimensions(), { day_sessions: -1 });
    state.seen = [...state.seen, hour].sort((a, b) => a - b).slice(-MAX_SEEN);
  }

  function addEvent(entry: Of<'event'>, at: AtWork): void {
    const { data, step } = entry;
    const tool = data.seen?.call?.tool ?? data.tool ?? '';
    if (tool !== '') Object.assign(at, { step, tool, isCounted: false });
    move('lastEvent', 'last_sessions', entry.at);
    if (USES_TOOL.has(data.type) && tool !== '')
      sums.add('tool_hours', entry.at, { tool }, { calls: 1, failed: hasFailed(data) ? 1 : 0 });
    if (data.type !== 'plan-performed') return;
    const plan = planOf(entry, data.plan);
    if (plan && (data.failed || data.rung !== plan[1].rung))
      sums.addPlan(plan[1], { not_performed: 1 });
  }

  function addSignal({ data: signal, step, at }: Of<'signal'>, agent: AtWork): void {
    const tool = agent.step === step ? agent.tool : '';
    const isLooping = isOfLoop(signal) && tool !== '' && !agent.isCounted;
    if (isOfLoop(signal)) agent.isCounted = true;
    if (signal.agent !== undefined) return;
    const { detector } = signal;
    sums.add('detector_hours', at, { detector, tool }, { signals: 1 }, at);
    if (isLooping) sums.add('tool_hours', at, { tool }, { looping: 1 });
    const before = state.spoke[detector];
    state.spoke[detector] = Math.max(before ?? at, at);
    if (before !== undefined && hourNumber(before) >= hourNumber(at)) return;
    const key = { detector, tool: '' };
    sums.add('detector_hours', at, key, { last_sessions: 1 });
    if (before !== undefined) sums.add('detector_hours', before, key, { last_sessions: -1 });
  }

  function addPlan(entry: Of<'plan'>, { tool }: AtWork): void {
    const { id, recovery, rung, reason, shadow } = entry.data;
    const detector = reason.split('/', 1)[0]!;
    const place: PlanPlace = {
      at: entry.at,
      recovery,
      rung,
      tool,
      detector,
      shadow: shadow === true,
    };
    sums.addPlan(place, { plans: 1 });
    state.filed.push([withinRange(entry, id), place, null]);
    if (state.filed.length > MAX_PLANS) state.filed.shift();
  }

  const planOf = (entry: RecordedEntry, id = ''): KeptHours['filed'][number] | undefined =>
    state.filed.findLast(([name]) => name === withinRange(entry, id));

  /** Counts each plan once, by its final outcome, in the hour in which it was made. */
  function addOutcome(entry: Of<'outcome'>): void {
    const plan = planOf(entry, entry.data.plan);
    if (!plan) return;
    if (plan[2] !== null) sums.addPlan(plan[1], { [plan[2]]: -1 });
    plan[2] = entry.data.outcome;
    sums.addPlan(plan[1], { [plan[2]]: 1 });
  }

  return {
    add(entry, was, now) {
      const at = agentOf(entry);
      if (entry.kind === 'event') addEvent(entry, at);
      else if (entry.kind === 'signal') addSignal(entry, at);
      else if (entry.kind === 'plan') addPlan(entry, at);
      else if (entry.kind === 'outcome') addOutcome(entry);
      if (now.looped > was.looped) move('lastLoop', 'last_looping', entry.at);
      const isEvent = entry.kind === 'event';
      const isSignal =
        entry.kind === 'signal' && entry.data.agent === undefined && !isOnTrial(entry.data);
      sums.add('hours', entry.at, dimensions(), {
        events: isEvent ? 1 : 0,
        signals: isSignal ? 1 : 0,
        faults: entry.kind === 'fault' ? 1 : 0,
        loops: now.looped - was.looped,
        steps: now.steps - was.steps,
        tokens: (now.tokens ?? 0) - (was.tokens ?? 0),
        usd: (now.usd ?? 0) - (was.usd ?? 0),
        wasted_steps: now.wasted.steps - was.wasted.steps,
        wasted_tokens: now.wasted.tokens - was.wasted.tokens,
        wasted_usd: now.wasted.usd - was.wasted.usd,
      });
      if (isEvent) arrive(entry.at);
    },
    take: () => sums.take(),
    toolAt({ agent = '', step }) {
      const at = atWork.get(agent);
      return at?.step === step ? at.tool : '';
    },
    kept: (plans, agents) => ({
      seen: state.seen,
      lastEvent: state.lastEvent,
      lastLoop: state.lastLoop,
      under: state.under,
      filed: plans === 0 ? [] : state.filed.slice(-plans),
      spoke: newest(state.spoke),
      at: [...atWork].slice(-agents),
    }),
  };
}

type Of<Kind extends RecordedEntry['kind']> = Extract<RecordedEntry, { kind: Kind }>;

const isSame = (one: Dimensions, other: Dimensions): boolean =>
  one.host === other.host &&
  one.team === other.team &&
  one.model === other.model &&
  one.release === other.release;

const newest = (spoke: KeptHours['spoke']): KeptHours['spoke'] =>
  Object.fromEntries(
    Object.entries(spoke)
      .sort(([, one], [, other]) => one - other)
      .slice(-MAX_DETECTORS),
  );
