import type { ActionBase, Call, CallFinished, CallProposed } from '../event.ts';
import type { Annotations } from '../event-parts.ts';
import { hash32, hash64 } from '../hash.ts';
import { present } from '../json.ts';
import { remembering } from '../lazily.ts';
import type { CallPrint } from '../prints.ts';
import { redact } from '../redact/redact.ts';
import { isLog } from '../shell/asks.ts';
import { PLACEHOLDER, readShell } from '../shell/shell.ts';
import { editWords } from '../tools/edit-words.ts';
import { profileOf } from '../tools/index.ts';
import type { ToolDeclaration, ToolPrint } from '../tools/profile.ts';
import { argumentParts, commandParts } from './argument-parts.ts';
import { canonical } from './canonical.ts';
import { type Folders, shellFolder } from './folder.ts';
import type { ReaderConfig } from './reader-state.ts';
import { shownArguments } from './shown-arguments.ts';
import { soughtWords } from './sought.ts';
import { wordHashes } from './words.ts';

const MAX_LABEL_LENGTH = 72;
const MAX_NAME_LENGTH = 80;
/** Numbers in longer arguments are not masked: there, a different number means a different call. */
const MAX_DRIFT = 2048;

/** Everything a call is read from. */
export interface CallSource {
  call: Call;
  annotations: Annotations | undefined;
  /** What the user declared about the tool. */
  declared: ToolDeclaration | undefined;
  /** The folder that the shell is in. */
  folders: Folders;
  seed: number;
}

/** What a call is read from, of the event that proposes or finishes it. */
export const sourceOf = (
  { call, annotations }: CallProposed | CallFinished,
  folders: Folders,
  { tools, seed }: ReaderConfig,
): CallSource => ({ call, annotations, declared: tools[call.tool], folders, seed });

/** Calls of one response; without a batch, calls with an equal `at`. */
export const batchOf = ({ batch, at }: CallProposed | CallFinished, seed: number): string =>
  batch === undefined ? `@${at}` : hash64(batch, seed);

/**
 * The last proposed call. It is usually the next one to finish, and then it does not have to be
 * read again.
 */
let proposed: { source: CallSource; print: CallPrint } | null = null;

/** Reads a proposed call: its identity, its verb and its target. */
export function readProposed(source: CallSource): CallPrint {
  const print = read(source);
  proposed = { source: { ...source, call: { ...source.call } }, print };
  return print;
}

/** Like `readProposed`, for a finished call. */
export function readFinished(source: CallSource): CallPrint {
  const last = proposed;
  proposed = null;
  return last && isSame(last.source, source) ? last.print : read(source);
}

const isSame = (a: CallSource, b: CallSource): boolean =>
  a.call.id === b.call.id &&
  a.call.tool === b.call.tool &&
  a.call.args === b.call.args &&
  a.annotations === b.annotations &&
  a.declared === b.declared &&
  a.seed === b.seed;

function read({ call, annotations, declared, folders, seed }: CallSource): CallPrint {
  const profile = profileOf(call.tool, call.args, annotations, declared);
  const shell = profile.shell === null ? null : readShell(profile.shell);
  const tool = nameOf(shell?.tool ?? profile.tool);
  const args = shell ? commandOf(shell.canonical, call.id) : canonical(call.args, profile);
  const folder = shell ? shellFolder(folders, shell.directory) : null;
  const where = folder ? `${profile.tool} in ${folder}` : profile.tool;
  const { target } = profile;
  const [kind, name] = partsOf(target);
  const shape = shapeOf(args);
  const key = hash64(`${where}\n${args}`, seed);
  const sought = soughtWords(tool, profile.shell, call.args, seed);
  return {
    id: call.id,
    tool,
    shell: shell !== null,
    key,
    shape: shape === args ? key : hash64(`${where}\n${shape}`, seed),
    folder,
    muted: shell?.muted ?? false,
    words: wordHashes(args, seed),
    verb: profile.verb,
    target: target === null ? null : hashTarget(target, seed),
    targetLabel: name,
    space: profile.space === null ? null : hash64(profile.space, seed),
    wide: profile.wide,
    effect: profile.effect,
    region: profile.region,
    poll: profile.poll,
    asks: profile.asks,
    log: isLogFile(target),
    parts: shell ? commandParts(args) : argumentParts(call.args),
    label: labelOf(shell ? shell.canonical : named(tool, name || shownArguments(call.args))),
    editWords: editWords(target === null ? null : `${kind}:${name}`),
    patch: profile.patch,
    look: profile.look,
    clears: profile.clears,
    ...seldomKnown(profile, sought, seed),
  };
}

/** What few calls have. */
const seldomKnown = (
  { background, targets, endsJobs }: ToolPrint,
  sought: CallPrint['sought'] | null,
  seed: number,
): Partial<CallPrint> =>
  present({
    sought: sought ?? undefined,
    background: background?.map(fileNameHash),
    targets: targets?.map((each) => hashTarget(each, seed)),
    endsJobs: endsJobs ? true : undefined,
  });

const isLogFile = (target: string | null): boolean =>
  target?.startsWith('file:') === true && isLog(target);

const named = (tool: string, name: string): string => (name === '' ? tool : `${tool} ${name}`);

/** Short arguments without their numbers. */
const shapeOf = (args: string): string =>
  args.length > MAX_DRIFT ? args : args.replace(/\d+(?:\.\d+)*/g, '#');

/**
 * A shell command is identified by what it runs; its other arguments (time limits, descriptions) do
 * not matter. A command that the log hides is never equal to another one.
 */
const commandOf = (command: string, id: string): string =>
  PLACEHOLDER.test(command) ? `${command} ${id}` : command;

/** The kind of a target, and its name without secrets: of a long path the end, where the file is. */
function partsOf(target: string | null): [kind: string, name: string] {
  if (target === null) return ['', ''];
  const colon = target.indexOf(':');
  const kind = target.slice(0, colon);
  const name = redact(target.slice(colon + 1));
  return kind === 'file' && name.length > MAX_NAME_LENGTH
    ? [kind, `…${name.slice(1 - MAX_NAME_LENGTH).toWellFormed()}`]
    : [kind, name.slice(0, MAX_NAME_LENGTH)];
}

/** Identifies a file by its name alone: one call may give it with a folder, another without. */
export const fileNameHash = (path: string): number => hash32(path.slice(path.lastIndexOf('/') + 1));

/** The kind of a target stays readable. The rest is hashed, because it may contain a secret. */
const hashTarget = (target: string, seed: number): string => {
  const colon = target.indexOf(':');
  return `${target.slice(0, colon)}:${hash64(target.slice(colon + 1), seed)}`;
};

/**
 * A tool's name on one line, short and without secrets. A long name ends in a hash, so that
 * different names stay different.
 */
const nameOf = remembering((tool) => {
  const name = redact(
    tool.length > MAX_NAME_LENGTH ? `${tool.slice(0, MAX_NAME_LENGTH - 14)} ${hash64(tool)}` : tool,
  );
  return name.includes('\n') ? name.replace(/\s+/g, ' ') : name;
});

/** Tool and target on one line, short and without secrets. */
function labelOf(text: string): string {
  const line = redact(text.slice(0, 4 * MAX_LABEL_LENGTH).replace(/\s+/g, ' '));
  return line.length > MAX_LABEL_LENGTH ? `${line.slice(0, MAX_LABEL_LENGTH - 1)}…` : line;
}

const LOOKS = new Set(['screenshot', 'zoom', 'cursor_position', 'read_page', 'find']);

/**
 * Reads a screen action as a call. Two actions are the same if they act on the same element, or, if
 * the page names none, at the same place.
 */
export function readAction(event: ActionBase, id: string, seed: number): CallPrint {
  const { type, ...parameters } = event.action;
  const named =
    event.target?.name || event.target?.role
      ? `${event.target.role ?? ''} ${event.target.name ?? ''}`.trim()
      : null;
  const {
    x: _x,
    y: _y,
    coordinate: _coordinate,
    ref: _ref,
    index: _index,
    reasoning: _reasoning,
    ...elsewhere
  } = parameters;
  const args =
    named === null
      ? canonical({ ...parameters, reasoning: undefined })
      : `${named}${canonical(elsewhere)}`;
  const verb = type === 'wait' ? 'wait' : LOOKS.has(type) ? 'read' : 'execute';
  return {
    id,
    tool: nameOf(type),
    shell: false,
    key: hash64(`action ${type}\n${args}`, seed),
    folder: null,
    muted: false,
    shape: hash64(`action ${type}\n${args.replace(/\d+(?:\.\d+)*/g, '#')}`, seed),
    words: wordHashes(args, seed),
    verb,
    target: named === null ? null : hashTarget(`element:${named}`, seed),
    targetLabel: named === null ? '' : redact(named).slice(0, MAX_NAME_LENGTH),
    space: null,
    wide: verb === 'read',
    effect: verb === 'execute' ? 'any' : 'none',
    region: null,
    poll: false,
    asks: null,
    log: false,
    parts: [],
    label: labelOf(named ? `${type} ${named}` : type),
    editWords: {
      act: type,
      object: 'on it',
      look: 'looking at the screen',
      remedy: 'look at the screen before acting again',
    },
    patch: false,
    look: verb === 'read',
    clears: 'none',
  };
}
