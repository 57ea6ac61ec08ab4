import type { AgentEvent, ToolsListed } from '../event.ts';
import type { ListedTool } from '../event-parts.ts';
import type { OfferedArgs } from '../failures/failure.ts';
import { blockedPage, noEffect, notReady, other } from '../failures/index.ts';
import type { Fingerprint } from '../fingerprint/fingerprint.ts';
import { present } from '../json.ts';
import type { ResultPrint, Wall } from '../prints.ts';
import { push, type Recent, recall, remember } from '../recent.ts';
import { soundsGrave } from '../tools/grave-words.ts';
import { bareNames } from '../tools/index.ts';
import { readName } from '../tools/name-words.ts';
import { FILE_ARGUMENTS } from '../tools/profile.ts';
import { isKnownTool, toolRoleOf, type World } from '../tools/tool-role.ts';
import { attemptedIn, gravityOf, nameable, pathOf } from './request.ts';

/**
 * What is kept of a recent call, to rank what to do after it. Empty fields are omitted, because
 * there are many calls.
 */
export interface RecentCall {
  /** The host's own name of the tool; empty if it must not be shown. */
  tool: string;
  key: string;
  world: World;
  target: string | null;
  /** The path of its file, if it can be repeated as it is, and the argument that named it. */
  path?: string;
  argument?: string;
  /** Other arguments that can be repeated as they are: numbers and references to elements. */
  given?: OfferedArgs;
  /** The name of the failure, if it failed. */
  failure?: string;
  /**
   * What the error suggests instead of the given value, what it is about, and the tool that it
   * names.
   */
  offered?: string;
  about?: string;
  named?: string;
  /** Its tool or target sounds irreversible. */
  grave?: true;
  /** It succeeded, and it removed something or its name sounds irreversible. */
  destroys?: true;
}

/** What is known about a tool. */
export interface ToolNote {
  /** Its server declares it destructive. */
  destructive: boolean;
  /** The arguments that it requires, and others that it accepts. */
  needs?: string[];
  takes?: string[];
  /** It shows the browser or chooses a profile: its name or one of its arguments says so. */
  headed?: true;
}

/** What ranking knows about a session. Plain JSON. */
export interface CandidateMemory {
  /** The most recently seen last. */
  tools: Recent<ToolNote>;
  calls: RecentCall[];
  /** The wall that the last shown page has, if any. */
  walled: Wall | null;
  /** Hash of the page's address. */
  page?: number;
}

const MAX_TOOLS = 48;
const MAX_CALLS = 8;
const MAX_NEEDS = 6;
/** Arguments that candidates may carry. */
const OFFERABLE = new Set([
  'path',
  'pattern',
  'command',
  'time',
  'accept',
  'action',
  'key',
  'target',
  'ref',
  'uid',
  ...FILE_ARGUMENTS,
]);

export const startCandidates = (): CandidateMemory => ({ tools: [], calls: [], walled: null });

/** Remembers the tools that the host listed. */
export function noteTools(memory: CandidateMemory, { tools }: ToolsListed): void {
  // Tools that help after a failure come last, so that they are kept longest.
  const known = (tool: ListedTool): number => Number(toolRoleOf(tool.name) !== null);
  for (const tool of [...tools].sort((one, another) => known(one) - known(another)))
    noteTool(memory, tool);
}

const HEADED =
  /^(?:headed|headless|headful|profile|profile_?(?:name|dir(?:ectory)?|path)|user_?data_?dir|storage_?state)$/i;

/** Its name says that it shows the browser, or changes to another profile of it. */
function isHeadedTool(name: string): boolean {
  const { words, verb } = readName(bareNames(name)[0] ?? name);
  const has = (...any: string[]): boolean => any.some((word) => words.includes(word));
  return (
    has('headed', 'headful') || (verb !== 'read' && has('profile') && has('browser', 'chrome'))
  );
}

function noteTool(memory: CandidateMemory, { name, annotations, takes }: ListedTool): void {
  if (nameable(name) === '' || soundsGrave(name)) return;
  const before = recall(memory.tools, name);
  const names = Object.keys(takes ?? {}).filter((each) => nameable(each) !== '');
  const isNeeded = (each: string): boolean => takes![each] === true;
  const note: ToolNote = {
    ...before,
    destructive:
      annotations === undefined
        ? (before?.destructive ?? false)
        : annotations.destructiveHint === true,
    ...(isHeadedTool(name) || names.some((each) => HEADED.test(each))
      ? { headed: true as const }
      : {}),
    ...(takes
      ? {
          needs: names.filter(isNeeded).slice(0, MAX_NEEDS),
          takes: names.filter((each) => OFFERABLE.has(each)),
        }
      : {}),
  };
  remember(memory.tools, name, note, MAX_TOOLS);
}

/**
 * Remembers a call or screen action that has finished and returns what is kept of it. Other events
 * and calls that the guard itself refused are not kept.
 */
export function noteCall(
  memory: CandidateMemory,
  event: AgentEvent,
  seen: Fingerprint,
): RecentCall | undefined {
  if (event.type !== 'call-finished' && event.type !== 'action-finished') return undefined;
  const { call, result } = seen;
  if (!call || !result) return undefined;
  const request = attemptedIn(event, call);
  const { given, world, args } = request;
  const tool = nameable(given);
  const isThere = result.error?.refusal !== 'tool';
  if (isThere && toolRoleOf(tool) !== null)
    noteTool(memory, { name: tool, ...request.annotations });
  notePage(memory, result);
  const failure = failureIn(memory, seen, world);
  const noted: RecentCall = {
    tool,
    key: call.key,
    world,
    target: call.target,
    ...pathOf(call, request.argument),
    ...present({
      failure: failure ?? undefined,
      given: failure === null ? undefined : (args ?? undefined),
      offered: result.offered,
      about: failure === blockedPage.name ? WALLS[memory.walled ?? 'access'] : result.about,
      named: toolNamed(memory, tool, result.mentioned ?? []),
    }),
    ...gravityOf(call, result, request),
  };
  push(memory.calls, noted, MAX_CALLS);
  return noted;
}

const WALLS: Record<Wall, string> = {
  login: 'a login',
  captcha: 'a CAPTCHA',
  access: 'access denied',
};

/** A wall is remembered until another page content or another address is seen. */
function notePage(memory: CandidateMemory, { wall, page }: ResultPrint): void {
  if (wall !== null) memory.walled = wall === 'none' ? null : wall;
  else if (page === undefined || page === memory.page) return;
  else memory.walled = null;
  if (page !== undefined) memory.page = page;
}

/** Failures that explain little by themselves. If the page has a wall, the wall is the cause. */
const VAGUE: ReadonlySet<string | null> = new Set([
  null,
  noEffect.name,
  notReady.name,
  other.name,
  'permission-denied',
]);

/**
 * On a page with a wall, a call without progress failed because of the wall, unless its error gives
 * another reason.
 */
function failureIn(
  { walled }: CandidateMemory,
  { call, result, progress }: Fingerprint,
  world: World,
): string | null {
  const brought = progress !== null && !result!.error;
  if (world === 'page' && walled && !brought && VAGUE.has(result!.failure)) return blockedPage.name;
  const isIdle = world === 'page' && call!.verb === 'execute' && progress === null;
  return result!.failure ?? (isIdle ? noEffect.name : null);
}

/**
 * The tool that an error names, if the host has it: by its own name, or with the prefix of the
 * failed tool's server.
 */
function toolNamed(
  { tools }: CandidateMemory,
  failed: string,
  mentioned: readonly string[],
): string | undefined {
  if (mentioned.length === 0) return undefined;
  const prefix = toolRoleOf(failed)?.prefix ?? '';
  const named = mentioned.flatMap((name) => [name, `${prefix}${name}`]);
  const isThere = (name: string): boolean => name !== failed && recall(tools, name) !== undefined;
  return (
    named.find(isThere) ??
    (prefix === ''
      ? undefined
      : named.find((name) => name.startsWith(prefix) && name !== failed && isKnownTool(name)))
  );
}
