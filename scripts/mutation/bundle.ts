import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Instrumenter } from '@stryker-mutator/instrumenter';
import { type Plugin, rolldown } from 'rolldown';
import { root } from '../build.ts';
import type { Subject } from './subjects.ts';

/** A change of the code that a test should notice. */
export interface Mutant {
  id: string;
  /** Path from the root. */
  file: string;
  line: number;
  mutator: string;
  original: string;
  replacement: string;
}

export interface Bundle {
  /** The sample, in its order. */
  mutants: Mutant[];
  /**
   * All tests of the subject and what they run, as one script in which each mutant of the sample is
   * a switch.
   */
  code: string;
  /** The same, noting besides which mutants a test reaches. */
  noting: string;
}

export async function makeBundle({ mutate, tests, sample }: Subject): Promise<Bundle> {
  const sources = filesLike(mutate).filter((file) => !file.endsWith('.test.ts'));
  const contents = new Map(
    sources.map((file) => [join(root, file), readFileSync(join(root, file), 'utf8')]),
  );
  const { files, mutants: all } = await new Instrumenter(silent as never).instrument(
    [...contents].map(([name, content]) => ({ name, content, mutate: true })),
    { plugins: null, ignorers: [], excludedMutations: [] },
  );
  const mutants = all
    .map(({ id, fileName, mutatorName, replacement = '', location: { start, end } }) => ({
      id,
      file: fileName.slice(root.length),
      line: start.line + 1,
      mutator: mutatorName,
      replacement,
      original: textBetween(contents.get(fileName)!, start, end),
      order: hash(
        `${fileName.slice(root.length)}:${start.line}:${start.column} ${mutatorName} ${replacement}`,
      ),
    }))
    .sort((a, b) => (a.order < b.order ? -1 : 1))
    .slice(0, sample);
  const code = await bundled(
    filesLike(tests),
    new Map(files.map(({ name, content }) => [name, content])),
  );
  const ids = new Set(mutants.map(({ id }) => id));
  return { mutants, code: withSwitches(code, ids, false), noting: withSwitches(code, ids, true) };
}

/** In one order on every machine. */
const filesLike = (patterns: string[]): string[] =>
  patterns.flatMap((pattern) => globSync(pattern, { cwd: root })).sort();

const hash = (text: string): string => createHash('sha256').update(text).digest('hex');

interface Position {
  line: number;
  column: number;
}

function textBetween(text: string, start: Position, end: Position): string {
  const lines = text.split('\n').slice(start.line, end.line + 1);
  lines[lines.length - 1] = lines.at(-1)!.slice(0, end.column);
  lines[0] = lines[0]!.slice(start.column);
  return lines.join('\n');
}

/** Stryker's instrumenter logs to this. */
const silent: unknown = new Proxy({}, { get: () => () => false });

const ENTRY = 'all-tests';

/** Packages stay outside. Each test file says its name before it names its tests. */
async function bundled(
  tests: string[],
  instrumented: ReadonlyMap<string, string>,
): Promise<string> {
  const paths = new Set(tests.map((file) => join(root, file)));
  const plugin: Plugin = {
    name: 'mutants',
    resolveId: (id) => (id === ENTRY ? id : null),
    load: (id) =>
      id === ENTRY
        ? [...paths].map((path) => `import '${path}';`).join('\n')
        : (instrumented.get(id) ?? null),
    transform: (code, id) =>
      (paths.has(id) ? `globalThis.testFile = '${id.slice(root.length)}';\n` : '') +
      code
        .replaceAll('import.meta.url', `'${pathToFileURL(id).href}'`)
        .replaceAll('import.meta.dirname', `'${join(id, '..')}'`),
  };
  const external = (id: string): boolean =>
    id !== ENTRY && !id.startsWith('.') && !id.startsWith('/');
  const build = await rolldown({
    input: ENTRY,
    platform: 'node',
    external,
    plugins: [plugin],
    treeshake: false,
    onLog: () => {},
  });
  const { output } = await build.generate({ format: 'cjs', codeSplitting: false });
  await build.close();
  return output[0].code;
}

/** Keeps the switches of these mutants: thousands of others would take most of the time. */
function withSwitches(code: string, ids: ReadonlySet<string>, noting: boolean): string {
  return code
    .replaceAll(/stryMutAct_9fa48(?:\$\d+)?\("(\d+)"\)/g, (found, id) =>
      ids.has(id) ? found : 'false',
    )
    .replaceAll(/(stryCov_9fa48(?:\$\d+)?)\(("\d+"(?:, "\d+")*)\)/g, (_, cover, listed: string) => {
      const kept = noting ? listed.split(', ').filter((id) => ids.has(id.slice(1, -1))) : [];
      return kept.length > 0 ? `${cover}(${kept.join(', ')})` : '0';
    });
}
