import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { parseAst } from 'rolldown/parseAst';
import { projectFiles, root } from './tree.ts';

/** One import of a source file: its specifier, or null if it is computed at run time. */
export interface Import {
  specifier: string | null;
  line: number;
  /** The module is loaded with the file; false for types, and for what is imported later. */
  isLoaded: boolean;
}

/** What the rules about rooms need to know of a source file. */
export interface SourceFile {
  /** Its path from the repository's root. */
  path: string;
  /** The folder of `packages/` that it lies in. */
  room: string;
  imports: readonly Import[];
  /** Uses of clocks, randomness, waiting, logging and the outside world. */
  impurities: readonly { what: string; line: number }[];
  strings: readonly { text: string; line: number }[];
  /** Where an object literal is spread into another, which only hides how long that one is. */
  literalSpreads: readonly number[];
}

interface Node {
  type: string;
  start: number;
  [key: string]: unknown;
}

/** Global names that a pure module may not use at all. */
const OUTSIDE = new Set([
  'performance',
  'console',
  'process',
  'globalThis',
  'crypto',
  'fetch',
  'queueMicrotask',
  'setTimeout',
  'setInterval',
  'setImmediate',
  'Promise',
]);

/** Reads one source file. */
export function readSource(path: string, text: string): SourceFile {
  const imports: Import[] = [];
  const impurities: { what: string; line: number }[] = [];
  const strings: { text: string; line: number }[] = [];
  const literalSpreads: number[] = [];
  const lineOf = ({ start }: Node): number => text.slice(0, start).split('\n').length;
  const impure = (what: string, node: Node): void =>
    void impurities.push({ what, line: lineOf(node) });

  const look = (node: Node, parent: Node | null, key: string): void => {
    const source = node.source as Node | null | undefined;
    if (/^(?:Import|Export\w*)Declaration$/.test(node.type) && source)
      imports.push({
        specifier: String(source.value),
        line: lineOf(node),
        isLoaded: !isOfTypes(node),
      });
    if (node.type === 'ImportExpression' || node.type === 'TSImportType') {
      const literal = (node.source ?? node.argument) as Node & { literal?: Node };
      const value = (literal.literal ?? literal).value;
      const specifier = typeof value === 'string' ? value : null;
      imports.push({ specifier, line: lineOf(node), isLoaded: false });
    }
    if (node.type === 'Literal' && typeof node.value === 'string')
      strings.push({ text: node.value, line: lineOf(node) });
    if (node.type === 'TemplateElement')
      strings.push({ text: (node.value as { raw: string }).raw, line: lineOf(node) });
    if (node.type === 'SpreadElement' && (node.argument as Node).type === 'ObjectExpression')
      literalSpreads.push(lineOf(node));
    if (node.type === 'AwaitExpression') impure('await', node);
    if (node.async === true) impure('async', node);
    if (node.type === 'ForOfStatement' && node.await === true) impure('for await', node);
    if (node.type !== 'Identifier' || isName(parent, key)) return;
    const name = String(node.name);
    if (OUTSIDE.has(name)) impure(name, node);
    if (name === 'Date' && parent?.type === 'MemberExpression') {
      const property = (parent.property as Node).name;
      if (property === 'now') impure('Date.now', node);
    } else if (name === 'Date' && /^(?:New|Call)Expression$/.test(parent?.type ?? '')) {
      impure('Date', node);
    }
    if (name === 'Math' && (parent?.property as Node | undefined)?.name === 'random')
      impure('Math.random', node);
    if (name === 'require' && parent?.type === 'CallExpression') impure('require', node);
  };

  walk(parseAst(text, { lang: path.endsWith('x') ? 'tsx' : 'ts' }) as unknown as Node, look);
  const room = /^packages\/([^/]+)\//.exec(path)?.[1] ?? '';
  return { path, room, imports, impurities, strings, literalSpreads };
}

/** Whether an import or export names nothing but types. */
function isOfTypes({ importKind, exportKind, specifiers }: Node): boolean {
  const named = (specifiers ?? []) as Node[];
  return (
    importKind === 'type' ||
    exportKind === 'type' ||
    (named.length > 0 &&
      named.every((each) => each.importKind === 'type' || each.exportKind === 'type'))
  );
}

/** Whether an identifier is only a name: of a property, a parameter, a type or something declared. */
function isName(parent: Node | null, key: string): boolean {
  if (parent === null) return true;
  if (parent.type.startsWith('TS')) return true;
  if (key === 'property') return parent.computed !== true;
  if (key === 'key') return parent.computed !== true && parent.shorthand !== true;
  return key === 'id' || key === 'params' || key === 'label' || /Specifier$/.test(parent.type);
}

type Look = (node: Node, parent: Node | null, key: string) => void;

function walk(node: Node, look: Look, parent: Node | null = null, key = ''): void {
  look(node, parent, key);
  for (const [name, value] of Object.entries(node)) {
    for (const each of Array.isArray(value) ? value : [value])
      if (each !== null && typeof each === 'object' && 'type' in each)
        walk(each as Node, look, node, name);
  }
}

/** The sources of all rooms, without their tests and fixtures. */
export function roomSources(): SourceFile[] {
  return projectFiles()
    .filter((path) => /^packages\/[^/]+\/src\/.*\.tsx?$/.test(path))
    .filter((path) => !/\.test\.tsx?$|\/fixtures\//.test(path))
    .map((path) => readSource(path, readFileSync(join(root, path), 'utf8')));
}

/** The path that a relative import leads to, from the root. */
export const targetOf = (path: string, specifier: string): string =>
  posix.join(posix.dirname(path), specifier);

/** The file that an import loads, from the root; undefined if it is of no room. */
function loadedFile(path: string, specifier: string): string | undefined {
  if (specifier.startsWith('.')) return targetOf(path, specifier);
  const [, room, rest = ''] = /^@unrut\/([\w-]+)(\/.*)?$/.exec(specifier) ?? [];
  if (room === undefined || room === 'schemas') return undefined;
  const { exports } = JSON.parse(
    readFileSync(join(root, `packages/${room}/package.json`), 'utf8'),
  ) as { exports: Record<string, string> };
  const file = exports[`.${rest}`];
  return file && posix.join(`packages/${room}`, file);
}

/** The files that are loaded with these, in all rooms, with how each is reached first. */
export function loadedWith(
  entries: readonly string[],
  sources: readonly SourceFile[],
): Map<string, string[]> {
  const byPath = new Map(sources.map((source) => [source.path, source]));
  const ways = new Map<string, string[]>(entries.map((path) => [path, [path]]));
  for (const [path, way] of ways)
    for (const { specifier, isLoaded } of byPath.get(path)?.imports ?? []) {
      const file = isLoaded && specifier !== null ? loadedFile(path, specifier) : undefined;
      if (file !== undefined && !ways.has(file)) ways.set(file, [...way, file]);
    }
  return ways;
}
