import type { AgentEvent, Rung } from '../event.ts';
import type { Verdict } from '../guard.ts';
import { isObject, type JsonObject, textOf } from '../json.ts';
import type { Machine } from '../machine.ts';
import { type Recent, recall, remember } from '../recent.ts';
import { safeName } from '../redact/safe-name.ts';
import type { Edit, Order, Scope, Surroundings } from '../settings-files/order.ts';
import type { Family } from '../tools/profile.ts';
import type { HostCommand } from './command.ts';
import { composeAnswer, type HookMeans, type HookPerformed } from './reading/hook-answer.ts';
import { baseOf, type HookPlace, toEvent } from './reading/hook-events.ts';
import type { HookDialect, HookPayload } from './reading/hook-payload.ts';
import { followHook, type HookThread, refuseOpen, startHookThread } from './reading/hook-thread.ts';
import type { Importer } from './reading/importer.ts';
import { readTime } from './reading/moment.ts';

/** What a host's folder says of an agent program. What does not apply to it is missing. */
export interface HostDeclaration<Name extends string = string> {
  /** As in the command line and in the ledger; also the folder's. */
  name: Name;
  /** For people. */
  label: string;
  /** Its family in `tools/`. */
  tools?: Family;
  /** The names of its program; the first is the usual one. */
  programs?: readonly string[];
  /** Folders by which it is known to be on a machine. Default: that of a person's settings. */
  folders?(at: Machine): readonly string[];
  /** Where it keeps its runs: folders, files or globs, which need not exist. */
  runs?(at: Machine): readonly string[];
  /** The formats of its recorded runs. */
  transcripts?: readonly Importer[];
  /** The records of its SQLite database, as its first format reads them. Throws when a file is no such database. */
  database?(path: string): Generator<JsonObject>;
  hooks?: HostHooks;
  install?: HostInstall;
  command?: HostCommand;
}

/** How a host calls hooks, and what an answer can bring about. */
export interface HostHooks {
  /** What the host can do about calls, be it at this hook or at the next. Where no call is shown, nothing is done. */
  can: readonly Rung[];
  /** Each call has an id or a moment by which it is known again. Without, a hook that is installed twice counts each call twice. */
  callsHaveIds: boolean;
  signs: HookSigns;
  /** What a payload tells; nothing for one that is not the host's. */
  payload: HookDialect;
  /** What an answer to a payload can bring about; nothing where the host does not listen. */
  answer(payload: JsonObject, told: HookPayload): HookMeans | undefined;
  /** Variables, besides the sign, that an answer depends on. */
  variables?: readonly string[];
}

/**
 * By what payloads are known to be a host's. The first kind of sign that any host shows decides, in the order in which they stand here; of
 * hosts that show the same kind, the one with the higher `precedence`. None of them reads more than names.
 */
export interface HookSigns {
  /** No other host has payloads of this form. */
  form?(payload: JsonObject): boolean;
  /** From here on, payloads that are named and shaped like Claude Code's. This one holds what only this host gives. */
  mark?(payload: JsonObject): boolean;
  /** The transcript that the payload names lies in a folder of this name. */
  folder?: string;
  /** It holds what hardly another host gives. */
  trait?(payload: JsonObject): boolean;
  /** The host sets this variable for its hooks. An agent that was started inside another inherits it. */
  variable?: string;
  /** Nothing else tells, also not for which host the hook was installed: this is the likeliest. */
  guess?(payload: JsonObject): boolean;
  /** Default: 0. */
  precedence?: number;
}

/** How `unrut install` connects a host. */
export interface HostInstall {
  /** Where a person's settings are. */
  folder(at: Machine): string;
  /** What is written depends on the version of the host. */
  isVersioned?: true;
  /** The files that connect it, besides the launcher of a project. The first is the one by which it is known to be connected. */
  edits(order: Order): readonly Edit[];
  /** The file in which it reads what it should always know: in that folder, and in a project. */
  instructions: { readonly [At in Scope]?: string };
  /** It has no settings of a project. */
  userOnly?: true;
  /** It can call a server on this machine; else, why not. Default: it has no HTTP hooks. */
  http?: true | string;
  /** What is left to do for a person. */
  afterwards?: string;
  /** The settings by which our plugin is switched on, where the host has plugins with hooks. */
  pluginIn?(at: Surroundings, read: (path: string) => string | undefined): string | undefined;
  /** What in the settings keeps our hooks from being called, in one line each. */
  obstacles?(order: Order, read: (path: string) => string | undefined): string[];
}

/** A payload, understood: what it tells, and of which run. */
export interface HookUnderstood {
  session: string;
  agent: string | undefined;
  /** Epoch milliseconds, where the host tells. */
  at: number | undefined;
  turn: string | undefined;
  told: HookPayload;
  payload: JsonObject;
}

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

/** An agent program that Unrut knows. Its payloads are understood once, and then asked what they mean. */
export interface Host<Name extends string = string> extends HostDeclaration<Name> {
  /** What a payload tells, when it tells anything of a run that can be named. Never throws. */
  understand(payload: unknown): HookUnderstood | undefined;
  /** What the host can do at the point where this came from. */
  can(understood: HookUnderstood): readonly Rung[];
  read(understood: HookUnderstood, moment?: HookMoment): AgentEvent[];
  /** Answers the verdicts on all events of a payload. Null: print nothing, exit with 0. */
  write(verdicts: readonly Verdict[], understood: HookUnderstood, moment?: HookMoment): HookAnswer | null;
}

const MAX_AGENTS = 8;

export function defineHost<const Name extends string>(declaration: HostDeclaration<Name>): Host<Name> {
  const { hooks } = declaration;
  return {
    ...declaration,
    understand(payload) {
      const told = isObject(payload) ? hooks?.payload(payload) : undefined;
      if (!told) return undefined;
      // The first versions of Copilot name no session: what they tell belongs to the folder.
      const session = told.session || textOf((payload as JsonObject).cwd);
      if (session === '') return undefined;
      const at = readTime(told.at);
      const turn = told.turn ?? (at === undefined ? undefined : String(at));
      const agent = told.agent === undefined ? undefined : safeName(told.agent);
      return { session: safeName(session), agent, at, turn, told, payload: payload as JsonObject };
    },
    can: ({ told }) => (hooks && told.told.some((each) => 'call' in each) ? hooks.can : []),
    read(understood, { at, memory = [] } = {}) {
      const steps = followHook(threadOf(memory, understood.agent), understood.told);
      return steps.flatMap((step) => toEvent(step, placeOf(understood, at)) ?? []);
    },
    write(verdicts, understood, { at, memory = [] } = {}) {
      const plans = verdicts.flatMap(({ plan }) => plan ?? []);
      if (plans.length === 0) return null;
      const place = placeOf(understood, at);
      const { performed, ...said } = composeAnswer(plans, hooks?.answer(understood.payload, understood.told));
      const events = performed.map((each): AgentEvent => ({ ...baseOf('plan-performed', place), type: 'plan-performed', ...each }));
      return { ...said, events: [...events, ...refused(understood.told, performed, threadOf(memory, place.agent), place)] };
    },
  };
}

const placeOf = ({ session, agent, at, turn }: HookUnderstood, now?: number): HookPlace => ({
  session,
  agent,
  at: at ?? now ?? Date.now(),
  turn,
});

/** The end of a call that was refused here. Most hosts have no hook that would tell of it. */
function refused({ told }: HookPayload, performed: readonly HookPerformed[], thread: HookThread, place: HookPlace): AgentEvent[] {
  const call = told[0]?.what === 'calls' ? told[0].call : undefined;
  if (!call || !performed.some(({ rung, failed }) => rung === 'block' && !failed)) return [];
  const open = refuseOpen(thread, call);
  if (!open) return [];
  return [{ ...baseOf('call-finished', place, call.id), type: 'call-finished', ...open, refusedBy: 'unrut' }];
}

/** The thread of a nested agent, or of the session itself; one that was kept by another version gets what it lacks. */
function threadOf(memory: HookMemory, agent = ''): HookThread {
  const thread = { ...startHookThread(), ...recall(memory, agent) };
  return remember(memory, agent, thread, MAX_AGENTS);
}
