import type { ActionBase, Annotations, Call } from '../event.ts';
import { redact } from '../redact.ts';
import { profileOf } from '../tools/index.ts';
import type { ToolDeclaration } from '../tools/profile.ts';
import type { CallPrint } from './call.ts';
import { canonical } from './canonical.ts';
import { hash64 } from './hash.ts';
import { readShell } from './shell.ts';
import { wordHashes } from './words.ts';

const LONGEST_LABEL = 72;
/** Numbers in longer arguments are not masked: they do not drift, they differ. */
const LONGEST_DRIFT = 2048;

/** The last call read: it is read when it is proposed, and again when it has finished. */
const last: { args: unknown; tool: string; annotations: unknown; declared: unknown; seed: number; print: CallPrint | null } = {
  args: null,
  tool: '',
  annotations: undefined,
  declared: undefined,
  seed: 0,
  print: null,
};

/** What a call is: its identity, what it does, and to what. */
export function readCall(call: Call, annotations: Annotations | undefined, declared: ToolDeclaration | undefined, seed: number): CallPrint {
  const { args, tool } = call;
  const known = last.print?.id === call.id && last.args === args && last.tool === tool && last.declared === declared && last.seed === seed;
  if (known && last.annotations === annotations && typeof args === 'object') return last.print!;
  const print = read(call, annotations, declared, seed);
  Object.assign(last, { args, tool, annotations, declared, seed, print });
  return print;
}

function read(call: Call, annotations: Annotations | undefined, declared: ToolDeclaration | undefined, seed: number): CallPrint {
  const profile = profileOf(call.tool, call.args, annotations, declared);
  const shell = profile.shell === null ? null : readShell(profile.shell);
  const tool = shell?.tool ?? profile.tool;
  // A shell command is identified by what it runs; its other arguments (time limits, descriptions) do not change that.
  const args = shell ? shell.canonical : canonical(call.args, profile);
  const target = shell ? shell.target : profile.target;
  const shape = args.length > LONGEST_DRIFT ? args : args.replace(/\d+(?:\.\d+)*/g, '#');
  return {
    id: call.id,
    tool,
    shell: shell !== null,
    key: hash64(`${profile.tool}\n${args}`, seed),
    shape: hash64(`${profile.tool}\n${shape}`, seed),
    words: wordHashes(args, seed),
    verb: shell?.verb ?? profile.verb,
    target,
    space: profile.space,
    wide: shell ? shell.wide : profile.wide,
    effect: shell?.effect ?? profile.effect,
    region: shell ? (shell.region ?? null) : profile.region,
    poll: profile.poll || (shell?.sleeps ?? false),
    label: labelOf(shell ? shell.canonical : tool, shell ? null : target),
    editWords: profile.editWords,
    patch: profile.patch,
    look: profile.look || (shell?.look ?? false),
    clears: profile.clears,
    ...(profile.targets ? { targets: profile.targets } : {}),
  };
}

/** Tool and target for a reader: one line, short, without secrets. */
function labelOf(what: string, target: string | null): string {
  const text = target === null ? what : `${what} ${target.slice(target.indexOf(':') + 1)}`;
  const line = redact(text.slice(0, 4 * LONGEST_LABEL).replace(/\s+/g, ' '));
  return line.length > LONGEST_LABEL ? `${line.slice(0, LONGEST_LABEL - 1)}…` : line;
}

const LOOKS = new Set(['screenshot', 'zoom', 'cursor_position', 'read_page', 'find']);

/** A screen action as a call: the same action on the same target, where the page names one, else at the same place. */
export function readAction(event: ActionBase, id: string, seed: number): CallPrint {
  const { type, ...parameters } = event.action;
  const named = event.target?.name || event.target?.role ? `${event.target.role ?? ''} ${event.target.name ?? ''}`.trim() : null;
  const { x: _x, y: _y, coordinate: _coordinate, ref: _ref, index: _index, reasoning: _reasoning, ...elsewhere } = parameters;
  const args = named === null ? canonical({ ...parameters, reasoning: undefined }) : `${named}${canonical(elsewhere)}`;
  const verb = type === 'wait' ? 'wait' : LOOKS.has(type) ? 'read' : 'execute';
  return {
    id,
    tool: type,
    shell: false,
    key: hash64(`action ${type}\n${args}`, seed),
    shape: hash64(`action ${type}\n${args.replace(/\d+(?:\.\d+)*/g, '#')}`, seed),
    words: wordHashes(args, seed),
    verb,
    target: named === null ? null : `element:${named}`,
    space: null,
    wide: verb === 'read',
    effect: verb === 'execute' ? 'any' : 'none',
    region: null,
    poll: false,
    label: labelOf(named === null ? type : `${type} ${named}`, null),
    editWords: { act: type, object: 'on it', look: 'looking at the screen', remedy: 'look at the screen before acting again' },
    patch: false,
    look: verb === 'read',
    clears: 'none',
  };
}
