import { createHash } from 'node:crypto';
import { chmodSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type InputOptions, type OutputOptions, type RolldownBuild, rolldown } from 'rolldown';
import { dts } from 'rolldown-plugin-dts';
import { assemblePlugin, PLUGINS } from './assemble-plugin.ts';
import { buildReportPage } from './report-page.ts';

/** The fields of package.json that building and packaging read. */
export interface Manifest {
  name: string;
  version: string;
  bin: Record<string, string>;
  engines: { node: string };
  exports: Record<string, string | Record<string, string>>;
  dependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
}

/** The repository's root: where package.json is. */
export const root: string = fileURLToPath(new URL('..', import.meta.url));

export const readManifest = (): Manifest =>
  JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest;

/**
 * A subpath that code can be imported from: its name in `dist/` is `index` for the package itself,
 * else the subpath.
 */
export const entryNames = ({ exports }: Manifest): string[] =>
  Object.keys(exports)
    .filter((subpath) => !subpath.endsWith('.json'))
    .map((subpath) => subpath.slice(2) || 'index');

/** The source of each published entry that is not a framework. */
const SOURCES: Readonly<Record<string, string>> = {
  index: 'cli/src/index.ts',
  core: 'cli/src/core.ts',
  client: 'adapters/src/client/index.ts',
  'computer-use': 'computer-use/src/index.ts',
  'ledgers/postgres': 'postgres/src/index.ts',
  'ledgers/sqlite': 'ledger/src/sqlite/index.ts',
  tasks: 'tasks/src/index.ts',
  testing: 'testing/src/index.ts',
};

/** The file that an entry is built from. */
export const sourceOf = (name: string): string =>
  join(root, 'packages', SOURCES[name] ?? `adapters/src/frameworks/${name}/index.ts`);

/**
 * Without comments and white space; functions and classes keep their names, so that a stack trace
 * can be read.
 */
const SMALLER = {
  compress: true,
  mangle: { toplevel: false, keepNames: true },
  codegen: true,
} as const;

/**
 * The library: one `.js` per entry, what several of them need in `shared/`, and the types likewise.
 */
async function bundleLibrary(manifest: Manifest, folder: string): Promise<void> {
  const output = {
    dir: folder,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: 'shared/[name].js',
  } as const;
  await write(manifest, { ...output, minify: SMALLER });
  const types = dts({
    generator: 'tsgo',
    emitDtsOnly: true,
    cwd: root,
    tsconfig: join(root, 'tsconfig.build.json'),
    logger: QUIET,
  });
  await write(manifest, { ...output, chunkFileNames: 'shared/[name].d.ts' }, types);
}

/** That TypeScript 7 has no stable API is known: the version of the plugin is pinned. */
const QUIET = { info: () => {}, warn: () => {}, error: console.error };

async function write(
  manifest: Manifest,
  output: OutputOptions,
  plugins: InputOptions['plugins'] = [],
): Promise<void> {
  const input = Object.fromEntries(entryNames(manifest).map((name) => [name, sourceOf(name)]));
  await withoutComplaints(manifest, { input, plugins }, (build) => build.write(output));
}

/** Builds with what all our bundles have in common; anything that rolldown warns of is an error. */
async function withoutComplaints<T>(
  manifest: Manifest,
  options: InputOptions,
  make: (build: RolldownBuild) => Promise<T>,
): Promise<T> {
  const complaints: string[] = [];
  const build = await rolldown({
    platform: 'node',
    treeshake: { moduleSideEffects: false },
    resolve: {
      mainFields: ['module', 'main'],
      // For Node it offers only CommonJS, of which nothing can be left out.
      alias: { yaml: join(root, 'node_modules/yaml/browser/index.js') },
    },
    external: Object.keys(manifest.peerDependencies ?? {}).map(
      (name) => new RegExp(`^${name}(?:/|$)`),
    ),
    // How long a plugin takes on a busy machine is no fault.
    checks: { pluginTimings: false },
    onLog: (_level, log) => void complaints.push(log.message.split('\n', 1)[0] ?? ''),
    ...options,
  });
  const made = await make(build);
  await build.close();
  if (complaints.length > 0) throw new Error(`rolldown: ${complaints.join('; ')}`);
  return made;
}

/**
 * One file of everything that an entry needs, which starts faster than a tree of modules and reads
 * no package.json.
 */
async function bundle(
  manifest: Manifest,
  entry: string,
  output: OutputOptions,
  define: Record<string, string> = {},
  plugins: InputOptions['plugins'] = [],
): Promise<{ code: string }> {
  const options = {
    plugins,
    input: join(root, entry),
    transform: { define: { ...versionOf(manifest), ...define } },
  };
  const { output: chunks } = await withoutComplaints(manifest, options, (build) =>
    (output.file ? build.write : build.generate).call(build, { ...output, codeSplitting: false }),
  );
  return chunks[0];
}

const versionOf = ({ version }: Manifest): Record<string, string> => ({
  UNRUT_VERSION: JSON.stringify(version),
});

/**
 * The command: a few lines that any Node of the last years understands, and the program, which
 * needs a recent one. It is split, so that a command loads what it needs and no more.
 */
async function bundleCommand(manifest: Manifest, folder: string): Promise<void> {
  const output = {
    dir: join(folder, 'command'),
    format: 'esm',
    entryFileNames: '[name].mjs',
    chunkFileNames: '[name].mjs',
    minify: true,
  } as const;
  const options = {
    input: { unrut: join(root, 'packages/cli/src/main.ts') },
    transform: { define: versionOf(manifest) },
  };
  await withoutComplaints(manifest, options, (build) => build.write(output));
  const command = join(folder, 'cli.js');
  const lowest = manifest.engines.node.replace('>=', '');
  writeFileSync(command, COMMAND.replace('LOWEST', JSON.stringify(lowest)));
  chmodSync(command, 0o755);
}

const COMMAND = `#!/usr/bin/env node
const lowest = LOWEST;
const [major, minor] = process.versions.node.split('.').map(Number);
const [leastMajor, leastMinor] = lowest.split('.').map(Number);
if (major > leastMajor || (major === leastMajor && minor >= leastMinor)) await import('./command/unrut.mjs');
else {
  console.error('Unrut needs Node ' + lowest + ' or newer, and this is Node ' + process.versions.node + '. Install a newer one: https://nodejs.org');
  process.exitCode = 2;
}
`;

/**
 * The hook command by itself: a small launcher, and next to it the program, which the launcher
 * loads only where no companion answers. Returns the path of the launcher.
 */
export async function bundleHook(file: string): Promise<string> {
  const folder = dirname(file);
  const parts = await hookParts('packages/cli/src/hook-program.ts', 'hook-program');
  const name = createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 16);
  const [launcher] = await hookParts('packages/agents/src/hook/fast/launch.ts', 'hook', {
    UNRUT_HOOK: JSON.stringify(name),
  });
  writeFileSync(file, launcher!.code);
  for (const { fileName, code } of parts) writeFileSync(join(folder, fileName), code);
  return file;
}

/**
 * A program of the hook, and the files that it loads only where they are needed: the driver of
 * Postgres.
 */
async function hookParts(
  entry: string,
  name: string,
  define: Record<string, string> = {},
): Promise<{ fileName: string; code: string }[]> {
  const manifest = readManifest();
  const options = {
    plugins: [ONLY_HOOKS],
    // What the driver shares with the program stays in the program.
    preserveEntrySignatures: 'allow-extension' as const,
    input: { [name]: join(root, entry) },
    transform: { define: { ...versionOf(manifest), ...define } },
  };
  const { output } = await withoutComplaints(manifest, options, (build) =>
    build.generate({
      format: 'cjs',
      minify: true,
      entryFileNames: '[name].cjs',
      chunkFileNames: 'hook-postgres.cjs',
    }),
  );
  return output.flatMap((part) =>
    part.type === 'chunk' ? [{ fileName: part.fileName, code: lazyBuiltins(part.code) }] : [],
  );
}

/**
 * Of a host, what a hook never uses (how it is installed, started and its recordings read) is left
 * out of its declaration.
 */
const ONLY_HOOKS = {
  name: 'only-hooks',
  transform: (code: string, id: string) =>
    /\/src\/hosts\/[^/]+\/host\.ts$/.test(id.replaceAll('\\', '/'))
      ? code.replace(UNUSED_BY_HOOKS, 'const { $1 } = {} as any;')
      : null,
};

const UNUSED_BY_HOOKS =
  /^import \{ ([\w, ]+) \} from '\.\/(?:command|database|exec-stream|install|stream|transcript)\.ts';$/gm;

/**
 * Modules of Node are loaded when something of them is used: most hooks use few. In ASCII, which is
 * quickest to read.
 */
const lazyBuiltins = (code: string): string =>
  `(function(require){${code}\n})((name)=>name.startsWith('.')?require(name):new Proxy({},{get:(_,key)=>process.getBuiltinModule(name)[key]}));\n`
    .replaceAll('/* @__PURE__ */', '')
    .replace(/[^\0-\x7f]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** The files that people and agents start, each of which needs no other. */
export async function bundlePrograms(folder: string): Promise<void> {
  await bundleCommand(readManifest(), folder);
  await bundleHook(join(folder, 'hook.cjs'));
  await bundle(readManifest(), 'packages/agents/src/hosts/plugins.ts', {
    file: join(folder, 'agent-plugins.js'),
    format: 'esm',
    minify: SMALLER,
  });
  for (const name of Object.keys(PLUGINS))
    assemblePlugin(name, root, join(folder, name), readManifest().version);
}

/**
 * The page that `unrut serve` shows. Vite is loaded only here: tests bundle programs without it.
 */
export async function buildDashboard(folder: string): Promise<void> {
  const vite = await import('vite');
  await vite.build({
    root: join(root, 'packages/dashboard'),
    logLevel: 'warn',
    build: { outDir: folder },
  });
}

/** Makes `dist/` again. Throws when anything in it cannot be made. */
export async function build(): Promise<void> {
  rmSync(join(root, 'dist'), { recursive: true, force: true });
  await bundleLibrary(readManifest(), join(root, 'dist'));
  await bundlePrograms(join(root, 'dist'));
  await buildDashboard(join(root, 'dist/dashboard'));
  writeFileSync(join(root, 'dist/report.html'), await buildReportPage());
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  try {
    await build();
    console.log('Built dist/.');
  } catch (error) {
    console.error(`Build failed: ${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = 1;
  }
}
