import type { ActionFinished, Annotations, CallFinished, ToolsListed } from '../event.ts';
import { blockedPage, noEffect } from '../failures/index.ts';
import type { Fingerprint } from '../fingerprint/fingerprint.ts';
import { push, type Recent, remember } from '../recent.ts';
import { redact } from '../redact/redact.ts';
import { soundsGrave } from '../tools/grave-words.ts';
import { FILE_ARGUMENTS } from '../tools/profile.ts';
import { toolRoleOf, type World, worldOf } from '../tools/tool-role.ts';

/** What is kept of a recent call, for ranking what to do after it. Fields that say nothing are left out: there are many calls. */
export interface RecentCall {
  /** The host's own name of the tool; empty when it cannot be repeated to a reader. */
  tool: string;
  key: string;
  world: World;
  target: string | null;
  /** The path of its file, when it can be repeated as it is, and the argument that named it. */
  path?: string;
  argument?: string;
  /** The name of the failure, when it failed. */
  failure?: string;
  /** Its tool or what it acts on speaks of what cannot be taken back. */
  grave?: true;
  /** It removed something, or its name says that it did what cannot be taken back. */
  destroys?: true;
}

/** What ranking knows of a session. Plain JSON. */
export interface CandidateMemory {
  /** Tools that can make a move, and whether their server declares them destructive; the last seen last. */
  tools: Recent<boolean>;
  calls: RecentCall[];
  /** The page that was last shown lets nobody pass. */
  walled: boolean;
}

const MAX_TOOLS = 32;
const MAX_CALLS = 8;
const MAX_TOOL_LENGTH = 64;
const MAX_PATH_LENGTH = 79;

export const startCandidates = (): CandidateMemory => ({ tools: [], calls: [], walled: false });

/** The host says which tools there are. */
export function noteTools(memory: CandidateMemory, { tools }: ToolsListed): void {
  for (const { name, annotations } of tools) noteTool(memory, nameable(name), annotations);
}

function noteTool(memory: CandidateMemory, tool: string, annotations: Annotations | undefined): void {
  if (tool === '' || toolRoleOf(tool) === null) return;
  const known = memory.tools.find(([name]) => name === tool)?.[1] ?? false;
  remember(memory.tools, tool, annotations === undefined ? known : annotations.destructiveHint === true, MAX_TOOLS);
}

/** A call or an action on a screen has finished; gives what is kept of it. Calls that were refused by the guard itself are not kept. */
export function noteCall(memory: CandidateMemory, event: CallFinished | ActionFinished, seen: Fingerprint): RecentCall | undefined {
  const { call, result } = seen;
  if (!call || !result) return undefined;
  const isCall = event.type === 'call-finished';
  const given = isCall ? event.call.tool : call.tool;
  const tool = nameable(given);
  noteTool(memory, tool, isCall ? event.annotations : undefined);
  const world = isCall ? worldOf(given, call.target, call.shell) : 'page';
  if (result.wall !== null) memory.walled = result.wall;
  const path = call.target?.startsWith('file:') ? repeatable(call.targetLabel) : '';
  const failure = failureIn(memory, seen, world);
  const isGrave = soundsGrave(given);
  const isRemoval = call.verb === 'write' && call.clears === 'target' && !call.patch;
  const noted: RecentCall = {
    tool,
    key: call.key,
    world,
    target: call.target,
    ...(path === '' ? {} : { path, argument: isCall ? fileArgument(event.call.args) : 'path' }),
    ...(failure === null ? {} : { failure }),
    ...(isGrave || soundsGrave(isCall ? elementIn(event.call.args) : call.targetLabel) ? { grave: true } : {}),
    ...(!result.error && (isGrave || isRemoval) ? { destroys: true } : {}),
  };
  push(memory.calls, noted, MAX_CALLS);
  return noted;
}

/** Before a wall every call that brings nothing fails for the same reason, whatever it says. */
function failureIn({ walled }: CandidateMemory, { call, result, progress }: Fingerprint, world: World): string | null {
  const brought = progress !== null && !result!.error;
  if (world === 'page' && walled && !brought) return blockedPage.name;
  const isIdle = world === 'page' && call!.verb === 'execute' && progress === null;
  return result!.failure ?? (isIdle ? noEffect.name : null);
}

/** A name that can be shown and called: short, on one line, without secrets. */
const nameable = (tool: string): string => (tool.length <= MAX_TOOL_LENGTH && !/\s/.test(tool) && redact(tool) === tool ? tool : '');

const repeatable = (path: string): string => (path.length <= MAX_PATH_LENGTH && /^[\w@%+=:,./\\~ -]+$/.test(path) ? path : '');

const fieldsOf = (args: unknown): Readonly<Record<string, unknown>> =>
  typeof args === 'object' && args !== null ? (args as Readonly<Record<string, unknown>>) : {};

const fileArgument = (args: unknown): string => FILE_ARGUMENTS.find((name) => typeof fieldsOf(args)[name] === 'string') ?? 'path';

/** The words for the element that an action is aimed at. */
function elementIn(args: unknown): string {
  const { element, target, selector, name, text } = fieldsOf(args);
  return [element, target, selector, name, text]
    .filter((each) => typeof each === 'string')
    .join(' ')
    .slice(0, 200);
}
