import type { AgentEvent, Rung } from '../event.ts';
import type { Verdict } from '../guard.ts';
import { readTime } from '../importers/moment.ts';
import { isObject, type JsonObject, textOf } from '../json.ts';
import { type Recent, recall, remember } from '../recent.ts';
import { safeName } from '../redact/safe-name.ts';
import type { Adapter } from './adapter.ts';
import { type Composed, composeAnswer, type HookMeans } from './hook-answer.ts';
import { baseOf, type HookPlace, toEvent } from './hook-events.ts';
import type { HookDialect, HookPayload } from './hook-payload.ts';
import { followHook, type HookThread, refuseOpen, startHookThread } from './hook-thread.ts';

/** What has to be kept between the hooks of one session, for it and its nested agents: plain JSON. Starts as an empty list. */
export type HookMemory = Recent<HookThread>;

/** When a hook was called, and what is remembered of the session. */
export interface HookMoment {
  /** Epoch milliseconds, for hosts that do not tell. Default: now. */
  at?: number;
  /** Changed by reading and writing. Without it, calls to which the host gives no id are not recognised when they come back. */
  memory?: HookMemory;
}

/** What a hook process answers with, and what the guard is to observe next. */
export interface HookAnswer {
  /** To print: JSON, or a text as it is. Missing: nothing. */
  stdout?: JsonObject | string;
  exitCode: number;
  /** What was really performed, and the end of a call that was refused. */
  events: AgentEvent[];
}

/** An adapter of a host that calls hooks: each time a payload comes, and an answer goes back. */
export interface HookAdapter extends Adapter {
  /** The session that a payload belongs to, so that its state can be loaded before it is read. */
  session(payload: unknown): string | undefined;
  read(payload: unknown, moment?: HookMoment): AgentEvent[];
  /** Answers the verdicts on all events of a payload. Null: print nothing, exit with 0. */
  write(verdict: Verdict | readonly Verdict[], payload: unknown, moment?: HookMoment): HookAnswer | null;
}

/** What a host's folder brings. */
export interface HookHost {
  name: string;
  /** What the host can do about calls, be it at this hook or at the next. Where no call is shown, nothing is done. */
  can: readonly Rung[];
  read: HookDialect;
  /** What an answer to this payload can bring about; nothing where the host does not listen. */
  means(payload: JsonObject): HookMeans | undefined;
}

const MOST_AGENTS = 8;

export function defineHookAdapter({ name, can, read, means }: HookHost): HookAdapter {
  /** What a payload tells, when it tells anything of a run that can be named. */
  function understand(payload: unknown, at?: number): { told: HookPayload; place: HookPlace } | undefined {
    const told = isObject(payload) ? read(payload) : undefined;
    // The first versions of Copilot name no session: what they tell belongs to the folder.
    const session = told?.session || (isObject(payload) && textOf(payload.cwd));
    if (!told || !session) return undefined;
    const time = readTime(told.at);
    const turn = told.turn ?? (time === undefined ? undefined : String(time));
    const agent = told.agent === undefined ? undefined : safeName(told.agent);
    return { told, place: { session: safeName(session), agent, at: time ?? at ?? Date.now(), turn } };
  }

  return {
    name,
    session: (payload) => understand(payload, 0)?.place.session,
    can: (payload) => (understand(payload, 0)?.told.told.some((each) => 'call' in each) ? can : []),
    read(payload, { at, memory = [] } = {}) {
      const understood = understand(payload, at);
      if (!understood) return [];
      const { told, place } = understood;
      return followHook(threadOf(memory, place.agent), told).flatMap((step) => toEvent(step, place) ?? []);
    },
    write(verdict, payload, { at, memory = [] } = {}) {
      const plans = [verdict].flat().flatMap(({ plan }) => plan ?? []);
      const understood = understand(payload, at);
      if (plans.length === 0 || !understood) return null;
      const { told, place } = understood;
      const { performed, ...said } = composeAnswer(plans, means(payload as JsonObject));
      const events = performed.map((each): AgentEvent => ({ ...baseOf('plan-performed', place), type: 'plan-performed', ...each }));
      return { ...said, events: [...events, ...refused(told, { ...said, performed }, threadOf(memory, place.agent), place)] };
    },
  };
}

/** The end of a call that was refused here. Most hosts have no hook that would tell of it. */
function refused({ told }: HookPayload, { performed }: Composed, thread: HookThread, place: HookPlace): AgentEvent[] {
  const call = told[0]?.what === 'calls' ? told[0].call : undefined;
  if (!call || !performed.some(({ rung, failed }) => rung === 'block' && !failed)) return [];
  const open = refuseOpen(thread, call);
  if (!open) return [];
  return [{ ...baseOf('call-finished', place, call.id), type: 'call-finished', ...open, refusedBy: 'unrut' }];
}

/** The thread of a nested agent, or of the session itself; one that was kept by another version gets what it lacks. */
function threadOf(memory: HookMemory, agent = ''): HookThread {
  const thread = { ...startHookThread(), ...recall(memory, agent) };
  return remember(memory, agent, thread, MOST_AGENTS);
}
