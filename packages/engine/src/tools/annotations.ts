import type { Annotations } from '../event-parts.ts';
import { valueIn } from '../json.ts';
import { declaredKind } from './edit-words.ts';
import type { Arguments, ToolDeclaration, ToolPrint } from './profile.ts';
import { settle } from './read-profile.ts';

/**
 * Applies MCP's hints. They are more reliable than a guess by name, and less reliable than a
 * profile.
 */
export function applyHints(print: ToolPrint, annotations: Annotations | undefined): void {
  if (annotations === undefined || print.shell !== null) return;
  const { readOnlyHint, destructiveHint } = annotations;
  if (readOnlyHint === true) {
    if (print.verb === 'write' || print.verb === 'execute' || print.verb === 'unknown')
      print.verb = 'read';
    print.patch = false;
    print.clears = 'none';
    settle(print, print.wide || print.target === null, 'none');
  } else if (readOnlyHint === false || destructiveHint === true) {
    if (print.verb === 'unknown' || (print.verb === 'read' && destructiveHint === true)) {
      print.verb = 'write';
      print.look = false;
      settle(print);
    } else if (print.verb === 'read') print.effect = 'target';
  }
}

/** Applies what a tool declares about itself. What the user declares takes precedence. */
export function applyDeclared(
  print: ToolPrint,
  annotations: Annotations | undefined,
  declared: ToolDeclaration | undefined,
  args: Arguments,
): void {
  const poll = declared?.poll ?? annotations?.['unrut/poll'];
  if (typeof poll === 'boolean') print.poll = poll;
  const identity = namesIn(declared?.identity ?? annotations?.['unrut/identity']);
  if (identity.length > 0) print.identity = identity;
  if (declared?.verb !== undefined && declared.verb !== print.verb) {
    print.verb = declared.verb;
    if (declared.verb !== 'write') print.patch = false;
    print.look = declared.verb === 'verify' || (declared.verb === 'read' && print.target !== null);
    settle(print);
  }
  applyPatchOrLook(print, args, {
    patch: declared?.patch ?? annotations?.['unrut/patch'],
    look: declared?.look ?? annotations?.['unrut/look'],
  });
}

/** The names in a list that somebody else wrote. */
const namesIn = (list: unknown): string[] =>
  Array.isArray(list) ? list.filter((name) => typeof name === 'string') : [];

/** A tool that says of itself that it patches a thing, or shows one. */
function applyPatchOrLook(
  print: ToolPrint,
  args: Arguments,
  { patch, look }: Pick<ToolDeclaration, 'patch' | 'look'>,
): void {
  const names = namesIn(patch ?? look);
  const thing = names.at(-1);
  if (thing === undefined) return;
  const values = names.map((name) => args[name] ?? valueIn(args, name));
  if (values.some((value) => typeof value !== 'string' && typeof value !== 'number')) return;
  print.verb = patch ? 'write' : 'read';
  print.target = `${declaredKind(thing)}:${String(values.at(-1))}`;
  print.space = values.length > 1 ? JSON.stringify(values.slice(0, -1)) : null;
  print.patch = patch !== undefined;
  print.look = patch === undefined;
  print.clears = 'none';
  print.region = null;
  settle(print, false, patch ? 'target' : 'none');
}
