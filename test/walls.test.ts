import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  loadedWith,
  readSource,
  roomSources,
  type SourceFile,
  targetOf,
} from './structure/source-tree.ts';
import { foldersIn, root } from './structure/tree.ts';

/** Rooms from the bottom to the top; a room may use those on the lines before its own. */
const ORDER = [
  ['engine'],
  ['reading'],
  ['ledger'],
  ['postgres', 'agents'],
  ['tasks', 'computer-use', 'logs', 'adapters'],
  ['server'],
  ['dashboard', 'testing'],
  ['cli'],
];

/** Code that must run where there is no Node: in edge functions and in browsers. */
const RUNS_ANYWHERE = [
  /^packages\/(?:engine|reading)\/src\//,
  /^packages\/adapters\/src\/(?:frameworks|client)\//,
  /^packages\/ledger\/src\/(?:recorder|memory)\.ts$/,
];

/** Published entries that are loaded in edge functions: nothing that they load may need Node. */
const EDGE_ENTRIES =
  /^packages\/(?:adapters\/src\/(?:frameworks\/[\w-]+|client)\/index|cli\/src\/(?:core|index))\.ts$/;

/** Code that treats all detectors and all recoveries alike. */
const SHARED = /^packages\/engine\/src\/(?:policy|fingerprint|outcome)\/|\/(?:guard|signal)\.ts$/;

const manifestOf = (room: string): { dependencies?: Record<string, string> } =>
  JSON.parse(readFileSync(join(root, `packages/${room}/package.json`), 'utf8'));

const levelOf = (room: string): number => ORDER.findIndex((rooms) => rooms.includes(room));

/** The room that a specifier names, as in `@unrut/engine/event`. */
const roomIn = (specifier: string): string | undefined =>
  /^@unrut\/([\w-]+)(?:\/|$)/.exec(specifier)?.[1];

const leavingRoom = ({ path, room, imports }: SourceFile): string[] =>
  imports.flatMap(({ specifier, line }) =>
    specifier?.startsWith('.') && !targetOf(path, specifier).startsWith(`packages/${room}/`)
      ? [`${path}:${line}: ${specifier}`]
      : [],
  );

const impure = ({ path, impurities }: SourceFile): string[] =>
  impurities.map(({ what, line }) => `${path}:${line}: ${what}`);

const ofNode = ({ path, imports }: SourceFile): string[] =>
  imports
    .filter(({ specifier }) => specifier?.startsWith('node:'))
    .map(({ specifier, line }) => `${path}:${line}: ${specifier}`);

/** The ways from an entry to a module of Node. */
function needingNode(entries: readonly string[], sources: readonly SourceFile[]): string[] {
  const ways = loadedWith(entries, sources);
  return sources.flatMap(({ path, imports }) =>
    ways.has(path)
      ? imports
          .filter(({ specifier, isLoaded }) => isLoaded && specifier?.startsWith('node:'))
          .map(({ specifier }) => [...ways.get(path)!, specifier].join(' → '))
      : [],
  );
}

const naming = ({ path, strings }: SourceFile, names: readonly string[]): string[] =>
  strings.flatMap(({ text, line }) => {
    const words = text.split(/[^\w-]+/);
    return names
      .filter((name) => text === name || (/[-_]/.test(name) && words.includes(name)))
      .map((name) => `${path}:${line}: names ${name}`);
  });

describe('the rooms', () => {
  const sources = roomSources();
  const engine = sources.filter(({ room }) => room === 'engine');

  it('are all found, with their sources', () => {
    expect(ORDER.flat().sort()).toEqual(foldersIn('packages'));
    expect(engine.length).toBeGreaterThan(100);
    for (const room of foldersIn('packages'))
      expect(sources.filter((each) => each.room === room)).not.toEqual([]);
  });

  it('are left only by the names that other rooms export', () => {
    expect(sources.flatMap(leavingRoom)).toEqual([]);
  });

  it('depend on exactly the rooms that they import, and only on rooms below', () => {
    for (const room of foldersIn('packages')) {
      const imported = sources
        .filter((each) => each.room === room)
        .flatMap(({ imports }) => imports.flatMap(({ specifier }) => roomIn(specifier ?? '') ?? []))
        .filter((each) => each !== 'schemas');
      const declared = Object.keys(manifestOf(room).dependencies ?? {})
        .flatMap((name) => roomIn(name) ?? [])
        .filter((each) => each !== 'schemas');
      expect([...new Set(imported)].sort(), `imports of ${room}`).toEqual(declared.sort());
      for (const each of declared)
        expect(levelOf(each), `${room} uses ${each}`).toBeLessThan(levelOf(room));
    }
  });

  it('import nothing of Node where they run without it', () => {
    const anywhere = sources.filter(({ path }) => RUNS_ANYWHERE.some((each) => each.test(path)));
    expect(anywhere.flatMap(ofNode)).toEqual([]);
  });

  it('load nothing of Node with an entry for the edge, through whatever room', () => {
    const entries = sources.map(({ path }) => path).filter((path) => EDGE_ENTRIES.test(path));
    expect(entries.length).toBeGreaterThan(10);
    expect(needingNode(entries, sources)).toEqual([]);
  });

  it('keep clocks, randomness, waiting, logging and the outside world out of the engine', () => {
    expect(engine.flatMap(impure)).toEqual([]);
  });

  it('name no detector and no recovery in code that serves all of them', () => {
    const names = ['detectors', 'recoveries'].flatMap((kind) =>
      foldersIn(`packages/engine/src/${kind}`),
    );
    const shared = engine.filter(({ path }) => SHARED.test(path));
    expect(shared.length).toBeGreaterThan(20);
    expect(shared.flatMap((source) => naming(source, names))).toEqual([]);
  });
});

describe('the check', () => {
  const engine = (text: string): SourceFile => readSource('packages/engine/src/guard.ts', text);

  it.each([
    ['const now = Date.now();', 'Date.now'],
    ['const now = Date();', 'Date'],
    ['const now = new Date();', 'Date'],
    ['const now = performance.now();', 'performance'],
    ['const now = globalThis.performance.now();', 'globalThis'],
    ['const dice = Math.random();', 'Math.random'],
    ['console.log(1);', 'console'],
    ['const home = process?.env;', 'process'],
    ['setTimeout(run, 1);', 'setTimeout'],
    ['const f = async () => 1;', 'async'],
    ['async function f() { for await (const x of xs) use(x); }', 'async'],
    ['const later = Promise.resolve();', 'Promise'],
    ['const text = `at ${Date.now()}`;', 'Date.now'],
    ["const fs = require('node:fs');", 'require'],
  ])('finds that %j is not pure', (text, what) => {
    expect(impure(engine(`\n${text}`))[0]).toBe(`packages/engine/src/guard.ts:2: ${what}`);
  });

  it.each([
    'interface Seen { process: string; console?: number; Promise: 1 }',
    'const seen = { process: 1, await: 2 }; use(seen.process, seen.console);',
    'type Clock = { now(): Date };',
    '// Date.now()\nconst text = "Math.random()";',
    'const half = Math.floor(2.5);',
  ])('does not complain about %j', (text) => {
    expect(impure(engine(text))).toEqual([]);
  });

  it.each([
    "import { a } from '../../ledger/src/a.ts';",
    "export * from '../../ledger/src/a.ts';",
    "export { a } from '../../ledger/src/a.ts';",
    "const a = await import('../../ledger/src/a.ts');",
    "type A = import('../../ledger/src/a.ts').A;",
  ])('finds that %j leaves the room', (text) => {
    expect(leavingRoom(engine(text))).toEqual([
      'packages/engine/src/guard.ts:1: ../../ledger/src/a.ts',
    ]);
  });

  it('finds a module of Node behind other rooms, and no types and nothing that is loaded later', () => {
    const entry = 'packages/adapters/src/client/index.ts';
    const behind = 'packages/engine/src/event.ts';
    const needs = (first: string, then: string): string[] =>
      needingNode([entry], [readSource(entry, first), readSource(behind, then)]);
    const loads = "import { a } from '@unrut/engine/event';";
    expect(needs(loads, "import { sep } from 'node:path';")).toEqual([
      `${entry} → ${behind} → node:path`,
    ]);
    expect(needs(loads, "import type { Stats } from 'node:fs';")).toEqual([]);
    expect(needs(loads, "import { type Stats } from 'node:fs';")).toEqual([]);
    expect(needs(loads, "const later = () => import('node:fs');")).toEqual([]);
    expect(
      needs("import type { A } from '@unrut/engine/event';", "import { sep } from 'node:path';"),
    ).toEqual([]);
  });

  it('finds imports of Node, and names of detectors in strings and templates', () => {
    expect(ofNode(engine("import type { Stats } from 'node:fs';"))).toHaveLength(1);
    expect(naming(engine("if (name === 'cycle') go();"), ['cycle'])).toHaveLength(1);
    expect(naming(engine('const key = `${a}/edit-streak`;'), ['edit-streak'])).toHaveLength(1);
    expect(naming(engine("const text = 'a cycle of steps';"), ['cycle'])).toEqual([]);
  });
});
