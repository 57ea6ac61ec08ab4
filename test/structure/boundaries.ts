import { posix } from 'node:path';
import { importsOf, lineOf, readSourceCode } from './source-code.ts';

/** Sources by their path from the repository's root. */
export type Sources = ReadonlyMap<string, string>;

/** The rule that the core keeps, in the words of the design. */
export const RULE =
  '`event`, `fingerprint`, `detectors`, `policy`, `recoveries` and `guard` import no `node:*` module, read no clock, use no randomness, log nothing, await nothing, and never throw on an event.';

/** Where the core begins; a folder ends in a slash. Everything that these import belongs to it. */
const CORE: readonly string[] = [
  'packages/engine/src/event.ts',
  'packages/engine/src/signal.ts',
  'packages/engine/src/redact/',
  'packages/engine/src/fingerprint/',
  'packages/engine/src/detectors/',
  'packages/engine/src/policy/',
  'packages/engine/src/recoveries/',
  'packages/engine/src/outcome/',
  'packages/engine/src/tools/',
  'packages/engine/src/guard.ts',
  'packages/engine/src/presets.ts',
];

/** What the core serves, and so must not know. */
const OUTSIDE = ['hosts', 'importers', 'cli', 'ledger', 'server', 'report', 'testing'].map(
  (folder) => `src/${folder}/`,
);

/** Code that treats every detector and every recovery alike. */
const SHARED: readonly string[] = [
  'packages/engine/src/policy/',
  'packages/engine/src/guard.ts',
  'packages/engine/src/signal.ts',
  'packages/engine/src/fingerprint/',
  'packages/engine/src/outcome/',
];

/**
 * Globals that read a clock, roll dice, log, wait or reach the outside. A property of the same name
 * is another thing.
 */
const FORBIDDEN = new RegExp(
  `(?<![\\w$.])(?:${[
    String.raw`new\s+Date\b`,
    String.raw`Date\s*(?:\(|\??\.\s*now\b)`,
    String.raw`(?:performance|console|process)\s*\??\.`,
    String.raw`Math\s*\??\.\s*random\b`,
    String.raw`(?:globalThis|crypto|queueMicrotask|setTimeout|setInterval|setImmediate|Promise)\b`,
    String.raw`(?:await|async)\b(?!\s*[?:=,}])`,
  ].join('|')})`,
  'g',
);

const isWithin = (path: string, places: readonly string[]): boolean =>
  places.some((place) => (place.endsWith('/') ? path.startsWith(place) : path === place));

/** Packages that become part of what is published, and are as pure as the core. */
const BUNDLED: readonly string[] = ['valibot'];

/**
 * What one core file does that it must not, each as `file:line: what was found`; and which files it
 * leads to.
 */
function lookInto(path: string, source: string): { complaints: string[]; leadsTo: string[] } {
  const read = readSourceCode(source);
  const found: { at: number; what: string }[] = [];
  const leadsTo: string[] = [];
  for (const match of read.code.matchAll(FORBIDDEN))
    found.push({ at: match.index, what: match[0].replace(/\s+/g, ' ') });
  for (const { specifier, at } of importsOf(read)) {
    if (specifier === null) found.push({ at, what: 'an import that is worked out at run time' });
    else if (BUNDLED.includes(specifier)) continue;
    else if (!specifier.startsWith('.')) found.push({ at, what: `import of '${specifier}'` });
    else {
      const target = posix.join(posix.dirname(path), specifier);
      if (isWithin(target, OUTSIDE)) found.push({ at, what: `import of '${specifier}'` });
      else leadsTo.push(target);
    }
  }
  found.sort((one, other) => one.at - other.at);
  return {
    complaints: found.map(({ at, what }) => `${path}:${lineOf(source, at)}: ${what}`),
    leadsTo,
  };
}

/**
 * Walks the imports from the core's places. Every line is one breach of the rule, or a place at
 * which there is nothing to check.
 */
export function breaches(sources: Sources, core: readonly string[] = CORE): string[] {
  const complaints: string[] = [];
  const waiting: string[] = [];
  for (const place of core) {
    const files = [...sources.keys()].filter((path) => isWithin(path, [place]));
    if (files.length === 0)
      complaints.push(`${place}: there is nothing to check here; has it moved?`);
    waiting.push(...files);
  }
  const visited = new Set<string>();
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const source = sources.get(path);
    if (source === undefined || visited.has(path)) continue;
    visited.add(path);
    const looked = lookInto(path, source);
    complaints.push(...looked.complaints);
    waiting.push(...looked.leadsTo);
  }
  return complaints.sort();
}

/**
 * Where shared code names a detector or a recovery: as a whole string, as a hyphenated word of one,
 * or as a folder it imports.
 */
export function namings(
  sources: Sources,
  names: readonly string[],
  shared: readonly string[] = SHARED,
): string[] {
  const complaints: string[] = [];
  for (const [path, source] of sources) {
    if (!isWithin(path, shared)) continue;
    for (const { text, at } of readSourceCode(source).strings) {
      const words = text.split(/[^\w-]+/);
      for (const name of names) {
        const isWord = /[-_]/.test(name) && words.includes(name);
        const isFolder = text.startsWith('.') && text.split('/').includes(name);
        if (text === name || isWord || isFolder)
          complaints.push(`${path}:${lineOf(source, at)}: names ${name}`);
      }
    }
  }
  return complaints;
}
