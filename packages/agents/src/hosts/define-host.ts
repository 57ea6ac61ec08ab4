import type { AgentEvent, Rung } from '@unrut/engine/event';
import type { Verdict } from '@unrut/engine/guard';
import { isObject, type JsonObject, textOf } from '@unrut/engine/json';
import type { Machine } from '@unrut/engine/machine';
import type { Plan } from '@unrut/engine/policy/plan';
import { push, type Recent, recall, remember } from '@unrut/engine/recent';
import { nestedStop } from '@unrut/engine/recoveries/wording';
import { safeName } from '@unrut/engine/redact/safe-name';
import type { Family } from '@unrut/engine/tools/profile';
import { composeAnswer, type HookMeans, type HookPerformed } from '@unrut/reading/hook-answer';
import { baseOf, type HookPlace, toEvent } from '@unrut/reading/hook-events';
import type { HookDialect, HookPayload } from '@unrut/reading/hook-payload';
import {
  followHook,
  type HookThread,
  isToldTwice,
  refuseOpen,
  restIn,
  startHookThread,
  withChanges,
} from '@unrut/reading/hook-thread';
import type { Importer } from '@unrut/reading/importer';
import { readTime } from '@unrut/reading/moment';
import type { Edit, Order, Scope, Surroundings } from '../settings-files/order.ts';
import type { HostCommand } from './command.ts';
import type { PermissionLine } from './permission-line.ts';

/** Everything that Unrut knows about one agent program. Leave out what does not apply. */
export interface HostDeclaration<Name extends string = string> {
  /** The name in the command line, in the ledger, and of its folder. */
  name: Name;
  /** The name shown to people. */
  label: string;
  /** Its family in `tools/`. */
  tools?: Family;
  /** The names of its executable; the first is the usual one. */
  programs?: readonly string[];
  /** Folders that exist where it is installed. Default: the folder of the user's settings. */
  folders?(at: Machine): readonly string[];
  /** Where it stores its runs: folders, files or globs, which need not exist. */
  runs?(at: Machine): readonly string[];
  /** The formats of its recorded runs. */
  transcripts?: readonly Importer[];
  hooks?: HostHooks;
  install?: HostInstall;
  command?: HostCommand;
}

/** How the host calls hooks, and what an answer can do. */
export interface HostHooks {
  /**
   * The rungs the host supports for calls, at this hook or the next one. At the end of a turn, what
   * the answer to that hook does counts. Other payloads get no answer.
   */
  can: readonly Rung[];
  /**
   * Whether each call has an id, or a time, that identifies it. If not, a hook that is called twice
   * from one place counts twice.
   */
  callsHaveIds: boolean;
  /** The tool in which its model runs commands. */
  shell: string;
  signs: HookSigns;
  /** Reads a payload; undefined if it is not this host's. */
  payload: HookDialect;
  /** What an answer to this payload can do; undefined if the host ignores answers here. */
  answer(payload: JsonObject, told: HookPayload, isAlone?: boolean): HookMeans | undefined;
  /**
   * How to show a text to the user apart from a call: at the start of a session, and as the answer
   * to a prompt for Unrut.
   */
  person?: {
    starts(payload: JsonObject): boolean;
    /** At the start of a session, shown in addition; at a prompt, instead of the model's answer. */
    say(payload: JsonObject, text: string): JsonObject;
    /** Features that the user could still install, shown after the bare command `unrut`. */
    more?(): string | undefined;
  };
  /** The settings line that would allow a call that the host rejected. */
  permission?: PermissionLine;
  /**
   * What its payloads report besides calls: dollars and nested agents for budgets, and the ends of
   * turns. Default: nothing.
   */
  reports?: readonly ('usd' | 'subagents' | 'turns')[];
  /** Environment variables, besides `signs.variable`, that an answer depends on. */
  variables?: readonly string[];
  /** Arguments with which its program runs unattended. */
  alone?: readonly string[];
  /**
   * With this exit code, the host shows the standard error of the hook at the end of a session.
   * `before` is a preceding line that explains the format.
   */
  showsAtEnd?: { exitCode: number; before: string };
  /** A stop at a nested agent's hook ends only that agent; its parent continues. */
  stopsNestedAlone?: true;
}

/**
 * How to recognise this host's payloads. The kinds of signs are tried in the order below: the first
 * kind that matches any host decides, and among hosts that match by the same kind, the one with the
 * highest `precedence`. Signs look only at names of fields.
 */
export interface HookSigns {
  /** No other host has payloads of this form. */
  form?(payload: JsonObject): boolean;
  /**
   * The remaining signs are for payloads shaped like Claude Code's. This one has a field that only
   * this host sends.
   */
  mark?(payload: JsonObject): boolean;
  /** The payload's transcript lies in a folder of this name. */
  folder?: string;
  /** It has a field that hardly any other host sends. */
  trait?(payload: JsonObject): boolean;
  /** The host sets this variable for its hooks. Agents started inside it inherit the variable. */
  variable?: string;
  /**
   * The last resort, when nothing else matches and the hook was installed for no particular host.
   */
  guess?(payload: JsonObject): boolean;
  /** Default: 0. */
  precedence?: number;
}

/** How `unrut install` connects a host. */
export interface HostInstall {
  /** The folder of the user's settings. */
  folder(at: Machine): string;
  /** The settings depend on the host's version. */
  isVersioned?: true;
  /**
   * The files to edit, besides a project's launcher. The first one shows whether the host is
   * connected.
   */
  edits(order: Order): readonly Edit[];
  /**
   * The file with standing instructions for the agent: in the settings folder, and in a project.
   */
  instructions: { readonly [At in Scope]?: string };
  /** It has no project settings. */
  userOnly?: true;
  /**
   * True if its hooks can call a local server; otherwise why not. Default: it has no HTTP hooks.
   */
  http?: true | string;
  /** What the user must do afterwards. */
  afterwards?: string;
  /** It shows a line of ours below what it does: `--statusline`. */
  hasStatusLine?: true;
  /** The settings file that enables our plugin, if the host has plugins with hooks. */
  pluginIn?(at: Surroundings, read: (path: string) => string | undefined): string | undefined;
  /** Settings that keep our hooks from being called, one line each. */
  obstacles?(order: Order, read: (path: string) => string | undefined): string[];
}

/** A payload that has been read once: its content, and the run it belongs to. */
export interface HookUnderstood {
  session: string;
  agent: string | undefined;
  /** Epoch milliseconds, if the host says. */
  at: number | undefined;
  turn: string | undefined;
  told: HookPayload;
  payload: JsonObject;
}

/**
 * State kept between the hooks of one session, for it and its nested agents: plain JSON, initially
 * an empty list.
 */
export type HookMemory = Recent<HookThread>;

/** When the hook was called, and the session's state. */
export interface HookMoment {
  /** Epoch milliseconds, for hosts that do not say. Default: now. */
  at?: number;
  /**
   * Updated by `read` and `write`. Without it, results cannot be matched to calls that have no id.
   */
  memory?: HookMemory;
  /** Dollars that the session has cost so far, if the host reports them. */
  usdSoFar?: number | undefined;
  /** Nobody watches the run, so its end must explain why it was stopped. */
  isAlone?: boolean;
  /**
   * Where the called hook is installed: a host whose calls have no ids may call several hooks for
   * one call. Default: `user`.
   */
  from?: string;
}

/** What the hook process prints, and what the guard observes next. */
export interface HookAnswer {
  /** JSON, or text printed as is. Missing: print nothing. */
  stdout?: JsonObject | string;
  /** For a person, where the host shows it. */
  stderr?: string;
  exitCode: number;
  /** What was actually performed, and the end of a call that was blocked. */
  events: AgentEvent[];
}

/**
 * An agent program that Unrut knows. Each payload is read once, by `understand`; the other
 * functions take the result.
 */
export interface Host<Name extends string = string> extends HostDeclaration<Name> {
  /** Reads a payload; undefined if it is not this host's or names no run. Never throws. */
  understand(payload: unknown): HookUnderstood | undefined;
  /** The rungs that the host supports at this point. */
  can(understood: HookUnderstood): readonly Rung[];
  read(understood: HookUnderstood, moment?: HookMoment): AgentEvent[];
  /** The answer to the verdicts on all events of a payload. Null: print nothing and exit with 0. */
  write(
    verdicts: readonly Verdict[],
    understood: HookUnderstood,
    moment?: HookMoment,
  ): HookAnswer | null;
}

const MAX_AGENTS = 8;

export function defineHost<const Name extends string>(
  declaration: HostDeclaration<Name>,
): Host<Name> {
  const { hooks } = declaration;
  return {
    ...declaration,
    understand(payload) {
      const told = isObject(payload) ? hooks?.payload(payload) : undefined;
      if (!told) return undefined;
      // The first versions of Copilot send no session; the folder identifies it.
      const session = told.session || textOf((payload as JsonObject).cwd);
      if (session === '') return undefined;
      const at = readTime(told.at);
      const turn = told.turn ?? (at === undefined ? undefined : String(at));
      const agent = told.agent === undefined ? undefined : safeName(told.agent);
      return { session: safeName(session), agent, at, turn, told, payload: payload as JsonObject };
    },
    can({ told, payload }) {
      if (!hooks) return [];
      if (told.told.some((each) => 'call' in each)) return hooks.can;
      const tells = told.told.some((each) => each.what === 'compacted' && each.tells);
      return told.isRest || tells ? (hooks.answer(payload, told)?.does ?? []) : [];
    },
    read(understood, { at, memory = [], from = 'user', usdSoFar } = {}) {
      const thread = threadOf(memory, understood.agent);
      // The end of a turn has no id.
      const hasNoId = hooks?.callsHaveIds === false || understood.told.isRest === true;
      if (hasNoId && isToldTwice(thread, understood.told, from)) return [];
      const place = placeOf(understood, at);
      const steps = followHook(thread, understood.told, place.at);
      const rest = restIn(thread, understood.told);
      const events = steps
        .flatMap((step) => toEvent(step, place) ?? [])
        .map((event) => (rest && event.type === 'text-added' ? { ...event, rest } : event))
        .map((event) => withPermissionLine(event, hooks));
      const told = withChanges(thread, understood.told, events);
      return withCost(told, threadOf(memory), usdSoFar);
    },
    write(verdicts, understood, { at, memory = [], isAlone } = {}) {
      const isNested = understood.agent !== undefined && hooks?.stopsNestedAlone === true;
      const planned = verdicts.flatMap(({ plan }) => plan ?? []);
      const root = threadOf(memory);
      const means = hooks?.answer(understood.payload, understood.told, isAlone);
      const isHeard = understood.agent === undefined && means?.does.includes('note') === true;
      const news = isHeard ? root.unread.splice(0) : [];
      if (planned.length === 0)
        return tellNews(news, means) ?? (isAlone ? farewell(hooks, understood, root) : null);
      const place = placeOf(understood, at);
      const plans = planned.map((plan, i): Plan => {
        if (plan.rung === 'stop' && isNested)
          return { ...plan, toHuman: nestedStop(plan.toHuman).toHuman };
        return i > 0 || news.length === 0
          ? plan
          : { ...plan, toModel: [...news, plan.toModel].join('\n\n') };
      });
      const { performed, ...said } = composeAnswer(plans, means);
      const stopped = performed.findIndex(({ rung, failed }) => rung === 'stop' && !failed);
      if (stopped >= 0 && isNested)
        push(root.unread, nestedStop(planned[stopped]!.toHuman).toParent, MAX_UNREAD);
      else if (stopped >= 0) root.stopped = plans[stopped]!.toHuman;
      const events = performed.map(
        (each): AgentEvent => ({
          ...baseOf('plan-performed', place),
          type: 'plan-performed',
          ...each,
        }),
      );
      return {
        ...said,
        events: [
          ...events,
          ...refused(understood.told, performed, threadOf(memory, place.agent), place),
        ],
      };
    },
  };
}

/** Adds the settings line that would permit a rejected call. */
function withPermissionLine(event: AgentEvent, hooks: HostHooks | undefined): AgentEvent {
  if (event.type !== 'call-finished' || !event.error || !hooks?.permission) return event;
  if (event.refusedBy === 'user') return event;
  const said = typeof event.error === 'string' ? event.error : textOf(event.result);
  const allow = hooks.permission(event.call, said);
  return allow === undefined ? event : { ...event, refusedBy: 'host', allow };
}

/** Adds the cost since the last report to the first event. Changes the thread. */
function withCost(events: AgentEvent[], root: HookThread, usdSoFar?: number): AgentEvent[] {
  const [first, ...rest] = events;
  if (!first || usdSoFar === undefined) return events;
  const usd = usdSoFar - root.paid;
  root.paid = usdSoFar;
  // A resumed session may restart its count at zero.
  return usd > 0 ? [{ ...first, cost: { usd } }, ...rest] : events;
}

const placeOf = ({ session, agent, at, turn }: HookUnderstood, now?: number): HookPlace => ({
  session,
  agent,
  at: at ?? now ?? Date.now(),
  turn,
});

/** Tells an agent the results of its nested agents. */
function tellNews(news: readonly string[], means: HookMeans | undefined): HookAnswer | null {
  if (news.length === 0 || !means) return null;
  const words = { toModel: news.join('\n\n'), toHuman: NEWS };
  return { stdout: means.say('note', words), exitCode: means.exitCode ?? 0, events: [] };
}

const MAX_UNREAD = 4;
const NEWS = 'Unrut told the agent that its subagent was stopped.';

/** The last line of a stopped run, if the host would otherwise end it without an explanation. */
function farewell(
  hooks: HostHooks | undefined,
  { told: { told } }: HookUnderstood,
  { stopped }: HookThread,
): HookAnswer | null {
  if (
    hooks?.showsAtEnd === undefined ||
    stopped === null ||
    !told.some(({ what }) => what === 'ended')
  )
    return null;
  const { exitCode, before } = hooks.showsAtEnd;
  return { stderr: `${before}\n${stopped}`, exitCode, events: [] };
}

/** The end of a call that Unrut blocked; most hosts have no hook for it. */
function refused(
  { told }: HookPayload,
  performed: readonly HookPerformed[],
  thread: HookThread,
  place: HookPlace,
): AgentEvent[] {
  const call = told[0]?.what === 'calls' ? told[0].call : undefined;
  if (!call || !performed.some(({ rung, failed }) => rung === 'block' && !failed)) return [];
  const open = refuseOpen(thread, call);
  if (!open) return [];
  return [
    {
      ...baseOf('call-finished', place, call.id),
      type: 'call-finished',
      ...open,
      refusedBy: 'unrut',
    },
  ];
}

/**
 * The thread of a nested agent, or of the session. Adds fields that another version did not store.
 */
function threadOf(memory: HookMemory, agent = ''): HookThread {
  const thread = { ...startHookThread(), ...recall(memory, agent) };
  return remember(memory, agent, thread, MAX_AGENTS);
}
