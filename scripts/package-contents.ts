import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { gzipSync } from 'node:zlib';
import { rolldown } from 'rolldown';
import { entryNames, type Manifest } from './build.ts';

/** More files than this means that something is shipped that nobody asked for. */
const MAX_FILES = 500;
/** Bytes of the tarball. */
const MAX_PACKED = 1_500_000;
/** The shipped files. */
const SHIPPED = /^(?:dist\/.+|schemas\/[\w-]+\.schema\.json|README\.md|LICENSE|package\.json)$/;

/** Programs that are started by path, and folders that are copied or served as they are. */
const PROGRAMS = [
  'cli.js',
  'hook.cjs',
  'hook-program.cjs',
  'hook-postgres.cjs',
  'agent-plugins.js',
];
const FOLDERS = ['claude-code-plugin/', 'gemini-cli-extension/', 'dashboard/'];

const GUARD = `export { createGuard } from 'unrut';`;
const AI_SDK = `${GUARD} export * from 'unrut/ai-sdk';`;
const BOTH_LAYERS = `${AI_SDK} export { unrutHooks } from 'unrut/claude-agent-sdk';`;

/**
 * Kilobytes of what a page must load for one import, minified and gzipped; of an adapter, what it
 * adds to what it stands on.
 */
const BUDGETS: readonly [code: string, kilobytes: number, on?: string][] = [
  [GUARD, 153],
  [`export { createGuard } from 'unrut/core';`, 122],
  // What adapters share is 6: 5 at a model's boundary, 1 for hooks around tools. Each adapter is 3;
  // chat models that ask themselves in methods of their own, and streams of two kinds, take 5.
  [AI_SDK, 9, GUARD],
  [BOTH_LAYERS, 4, AI_SDK],
  [
    `${AI_SDK} export { guardModel as guardChatModel, unrutMiddleware } from 'unrut/langchain';`,
    5,
    AI_SDK,
  ],
  [
    `${AI_SDK} export { guardModel as guardAgentModel, guardProvider as guardAgents } from 'unrut/openai-agents';`,
    5,
    AI_SDK,
  ],
  [`${AI_SDK} export { unrutProcessor } from 'unrut/mastra';`, 3, AI_SDK],
  [`${AI_SDK} export { followMessages } from 'unrut/messages';`, 4, AI_SDK],
  [`${AI_SDK} export { unrutMiddleware as unrutModelMiddleware } from 'unrut/genkit';`, 3, AI_SDK],
  [`${AI_SDK} export { UnrutPlugin } from 'unrut/google-adk';`, 3, AI_SDK],
  [`${BOTH_LAYERS} export { unrutPlugin } from 'unrut/strands';`, 3, BOTH_LAYERS],
];

/** Every file of an installed package, relative to its folder. */
const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .sort();

/** Throws when the package holds what nobody needs, the same program twice, or is too large. */
export function checkContents(folder: string, packed: number): void {
  const files = filesIn(folder);
  const other = files.filter((file) => !SHIPPED.test(file));
  if (other.length > 0) throw new Error(`expected only dist and schemas, got ${other.join(', ')}`);
  const twice = files.filter((file) => /\/.*hook-program\.cjs$/.test(file)).slice(1);
  if (twice.length > 0) throw new Error(`the hook is shipped again in ${twice.join(', ')}`);
  if (packed > MAX_PACKED)
    throw new Error(`expected at most ${MAX_PACKED} bytes packed, got ${packed}`);
}

/**
 * Throws when the package holds a module that no entry and no program reaches, or lacks one that
 * they need.
 */
export function checkModules(folder: string, manifest: Manifest): void {
  const files = filesIn(folder);
  if (files.length > MAX_FILES)
    throw new Error(`expected at most ${MAX_FILES} files, got ${files.length}`);
  const entries = entryNames(manifest).flatMap((name) => [`dist/${name}.js`, `dist/${name}.d.ts`]);
  const reached = new Set<string>();
  const queue = [...entries, ...PROGRAMS.map((name) => `dist/${name}`)];
  for (const file of queue) {
    if (reached.has(file)) continue;
    if (!files.includes(file)) throw new Error(`${file} is needed, but not in the package`);
    reached.add(file);
    queue.push(
      ...importsOf(join(folder, file)).map((path) =>
        join(dirname(file), path).replaceAll('\\', '/'),
      ),
    );
  }
  const stray = files.filter(
    (file) =>
      /^dist\/.*\.(?:[cm]?js|ts)$/.test(file) &&
      !reached.has(file) &&
      !FOLDERS.some((each) => file.startsWith(`dist/${each}`)),
  );
  if (stray.length > 0) throw new Error(`no entry reaches ${stray.join(', ')}`);
}

/** Relative imports, of types with the `.d.ts` that they mean. The bundled hook imports nothing. */
function importsOf(file: string): string[] {
  if (file.endsWith('.cjs')) return [];
  const imports = [
    ...readFileSync(file, 'utf8').matchAll(
      /(?:(?:^|;)(?:import|export)\b[^'"`;]*|\bimport\()["'`](\.[^"'`]+)["'`]/gm,
    ),
  ].map(([, path]) => path!);
  if (!file.endsWith('.d.ts')) return imports;
  const wrong = imports.find((path) => !path.endsWith('.js'));
  if (wrong) throw new Error(`${file} imports ${wrong}: expected a name that ends in .js`);
  return imports.map((path) => path.replace(/\.js$/, '.d.ts'));
}

/**
 * Throws when a relative link in the README, in the documents or in a room's README leads nowhere.
 * They are links of the repository: registries resolve those of the README against it.
 */
export function checkLinks(repository: string): void {
  const pages = [
    'README.md',
    ...['docs', 'packages', 'plugins'].flatMap((folder) =>
      markdownIn(join(repository, folder)).map((file) => `${folder}/${file}`),
    ),
  ];
  const dead = pages.flatMap((page) => {
    const text = readFileSync(join(repository, page), 'utf8').replace(
      /^( *)(`{3,})[\s\S]*?^ *\2/gm,
      '',
    );
    return [...text.matchAll(/\]\(([^)\s]+)\)/g)]
      .map(([, link]) => link!)
      .filter(
        (link) =>
          !/^(?:[a-z]+:|#)/i.test(link) &&
          !existsSync(join(repository, dirname(page), link.split('#', 1)[0]!)),
      )
      .map((link) => `${page} links to ${link}`);
  });
  if (!pages.some((page) => page.startsWith('docs/')))
    throw new Error('the repository holds no docs');
  if (dead.length > 0) throw new Error(`dead links: ${dead.join('; ')}`);
}

const markdownIn = (folder: string): string[] =>
  existsSync(folder)
    ? filesIn(folder).filter((file) => file.endsWith('.md') && !file.includes('node_modules/'))
    : [];

/** Throws when an import costs a page more than its budget. Returns what each costs. */
export async function checkSizes(project: string): Promise<string> {
  const costs: string[] = [];
  const sizes = new Map<string | undefined, number>([[undefined, 0]]);
  for (const [code, budget, on] of BUDGETS) {
    // What an adapter stands on comes before it.
    sizes.set(code, await sizeOf(project, code));
    const kilobytes = sizes.get(code)! - sizes.get(on)!;
    if (kilobytes > budget)
      throw new Error(`${code} expected at most ${budget} KB gzipped, got ${kilobytes.toFixed(1)}`);
    costs.push(`${code} ${kilobytes.toFixed(1)} of ${budget} KB`);
  }
  return costs.join(', ');
}

async function sizeOf(project: string, code: string): Promise<number> {
  const entry = join(project, 'page.js');
  const virtual = {
    name: 'page',
    resolveId: (id: string) => (id === entry ? id : null),
    load: (id: string) => (id === entry ? code : null),
  };
  const build = await rolldown({
    input: entry,
    cwd: project,
    platform: 'browser',
    plugins: [virtual],
    external: /^@langchain\//,
  });
  const { output } = await build.generate({
    format: 'esm',
    minify: true,
    comments: false,
    codeSplitting: false,
  });
  await build.close();
  return gzipSync(output[0].code).length / 1000;
}
