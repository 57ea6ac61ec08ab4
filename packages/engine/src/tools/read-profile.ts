import { isObject } from '../json.ts';
import { readPatch } from '../shell/patch-text.ts';
import { readShell } from '../shell/shell.ts';
import {
  commandArgument,
  commandIn,
  firstLiteral,
  given,
  pointArgument,
  targetOf,
} from './arguments.ts';
import { regionOf } from './edit-region.ts';
import type { Arguments, Profile, ToolPrint } from './profile.ts';

const MAX_TARGETS = 32;
const NO_NAMES: readonly string[] = [];

/** A call of a tool about which nothing is known. */
export const blankPrint = (tool: string): ToolPrint => ({
  tool,
  verb: 'unknown',
  target: null,
  space: null,
  wide: false,
  effect: 'target',
  region: null,
  poll: false,
  asks: null,
  background: null,
  endsJobs: false,
  shell: null,
  freeText: NO_NAMES,
  identity: null,
  patch: false,
  look: false,
  clears: 'none',
});

/**
 * Whether the arguments are those of this profile: a tool with the same name and other arguments is
 * a different tool.
 */
export function fits(profile: Profile, args: Arguments, text: string | null): boolean {
  if (profile.shell !== undefined) return text !== null || given(args, profile.shell) !== undefined;
  if (profile.edit?.patch !== undefined)
    return text !== null || given(args, profile.edit.patch) !== undefined;
  if (
    profile.target === undefined ||
    profile.by !== undefined ||
    (profile.kind ?? 'file') !== 'file'
  )
    return true;
  return given(args, profile.target) !== undefined || given(args, profile.batch) !== undefined;
}

/** What a call does, according to its tool's profile. */
export function readProfile(
  tool: string,
  profile: Profile,
  args: Arguments,
  text: string | null,
): ToolPrint {
  if (profile.by !== undefined) {
    const chosen = subcommand(profile, args);
    if (chosen !== null)
      return readProfile(`${tool} ${chosen.name}`, chosen.profile, chosen.args, text);
  }
  const change = profile.when?.(args);
  const known: Profile = change ? { ...profile, ...change } : profile;
  if (known.shell !== undefined) {
    const command = text ?? commandArgument(given(args, known.shell));
    if (command !== null)
      return shellPrint(
        tool,
        text === null ? commandIn(args, command) : command,
        known.freeText ?? NO_NAMES,
        args,
      );
  }
  const print = blankPrint(tool);
  print.verb = known.verb;
  print.freeText = known.freeText ?? NO_NAMES;
  print.poll = known.poll ?? false;
  print.asks = known.asks ?? null;
  print.endsJobs = known.endsJobs ?? false;
  print.look = known.look ?? known.verb === 'verify';
  print.patch = known.patch ?? false;
  print.clears = known.clears ?? 'none';
  setTargets(print, known, args, text);
  if (known.edit !== undefined) setRegion(print, known, args, text);
  settle(print, known.wide, known.effect);
  return print;
}

/** Sets what follows from verb and target. */
export function settle(print: ToolPrint, wide?: boolean, effect?: ToolPrint['effect']): void {
  const { verb } = print;
  const names = print.target !== null;
  print.wide =
    wide ??
    (verb === 'verify' || verb === 'execute' || verb === 'navigate' || (verb === 'read' && !names));
  print.effect = effect ?? effectOf(print);
}

function effectOf({ verb, target }: ToolPrint): ToolPrint['effect'] {
  switch (verb) {
    case 'write':
      return target === null ? 'any' : 'target';
    case 'execute':
    case 'navigate':
      return 'any';
    case 'unknown':
      return 'target';
    default:
      return 'none';
  }
}

/** Arguments of shell tools that leave the command running. */
const IN_BACKGROUND = [
  'run_in_background',
  'is_background',
  'isBackground',
  'background',
  'detach',
];

/** A shell tool does what its command does. */
export function shellPrint(
  tool: string,
  command: string,
  freeText: readonly string[],
  args: Arguments,
): ToolPrint {
  const {
    verb,
    target,
    targets,
    wide,
    effect,
    region,
    sleeps: poll,
    asks,
    background,
    endsJobs,
    patch,
    look,
    clears,
  } = readShell(command);
  const print = {
    ...blankPrint(tool),
    verb,
    target,
    wide,
    effect,
    region,
    poll,
    asks,
    background: background ?? (IN_BACKGROUND.some((name) => args[name] === true) ? [] : null),
    endsJobs,
    shell: command,
    freeText,
    patch,
    look,
    clears,
  };
  return targets ? { ...print, targets } : print;
}

function subcommand(
  profile: Profile,
  args: Arguments,
): { name: string; profile: Profile; args: Arguments } | null {
  const value = given(args, profile.by);
  const inner = isObject(value) ? (value as Arguments) : null;
  const name = inner === null ? value : inner.type;
  if (
    typeof name !== 'string' ||
    profile.subcommands === undefined ||
    !Object.hasOwn(profile.subcommands, name)
  )
    return null;
  return { name, profile: profile.subcommands[name]!, args: inner ?? args };
}

function setTargets(
  print: ToolPrint,
  profile: Profile,
  args: Arguments,
  text: string | null,
): void {
  const kind = profile.kind ?? 'file';
  if (profile.space !== undefined) print.space = spaceOf(given(args, profile.space));
  const several = given(args, profile.batch);
  if (Array.isArray(several)) setSeveral(print, several, profile.target, kind);
  else if (profile.fixed !== undefined) print.target = profile.fixed;
  else if (profile.target !== undefined) {
    print.target = targetOf(kind, given(args, profile.target));
    if (print.target === null && kind === 'element') print.target = pointArgument(args.x, args.y);
    if (print.target === null && text !== null) print.target = targetOf(kind, firstLiteral(text));
  }
  if (profile.clears === 'space' && print.space === null && print.target !== null)
    print.space = print.target.slice(print.target.indexOf(':') + 1);
}

function setSeveral(
  print: ToolPrint,
  items: readonly unknown[],
  name: Profile['target'],
  kind: NonNullable<Profile['kind']>,
): void {
  const targets: string[] = [];
  for (const item of items.slice(0, MAX_TARGETS)) {
    const value = typeof item === 'object' && item !== null ? given(item as Arguments, name) : item;
    const target = targetOf(kind, value);
    if (target !== null && !targets.includes(target)) targets.push(target);
  }
  if (targets.length === 1) print.target = targets[0]!;
  else if (targets.length > 1) print.targets = targets;
}

const spaceOf = (value: unknown): string | null =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : null;

function setRegion(print: ToolPrint, profile: Profile, args: Arguments, text: string | null): void {
  const edit = profile.edit!;
  const patch = edit.patch === undefined ? undefined : (text ?? given(args, edit.patch));
  if (typeof patch !== 'string') {
    print.region = regionOf(args, edit);
    return;
  }
  const { files, region, deletes } = readPatch(patch);
  const targets = files.map((path) => targetOf('file', path)).filter((target) => target !== null);
  print.region = region;
  if (deletes) {
    print.patch = false;
    print.clears = 'target';
  }
  if (targets.length === 1) print.target = targets[0]!;
  else if (targets.length > 1) print.targets = targets;
}
