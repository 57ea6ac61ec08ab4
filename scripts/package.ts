import { spawn, spawnSync } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { parse } from 'yaml';
import { entryNames, type Manifest, readManifest, root } from './build.ts';
import { checkContents, checkLinks, checkModules, checkSizes } from './package-contents.ts';

interface Ran {
  status: number | null;
  stdout: string;
  stderr: string;
}

/**
 * A stranger's environment: nothing that `npm run` says of this project (its local prefix would
 * send an install here), and this very Node first, since the machine's own may be older than the
 * package supports.
 */
function strangersEnvironment(): NodeJS.ProcessEnv {
  const ofThisProject =
    /^(npm_package_|npm_lifecycle_|npm_command$|npm_config_local_prefix$|INIT_CWD$)/i;
  const kept = Object.entries(process.env).filter(([name]) => !ofThisProject.test(name));
  return {
    ...Object.fromEntries(kept),
    PATH: `${dirname(process.execPath)}${delimiter}${process.env.PATH ?? ''}`,
  };
}

function run(command: string, args: string[], cwd: string): Ran {
  const ran = spawnSync(command, args, {
    cwd,
    env: strangersEnvironment(),
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  if (ran.error) throw new Error(`${command} ${args.join(' ')}: ${ran.error.message}`);
  return ran;
}

/** Runs a command that must end with 0, and gives what it printed. */
function must(command: string, args: string[], cwd: string): string {
  const { status, stdout, stderr } = run(command, args, cwd);
  if (status === 0) return stdout.trim();
  console.error(`${stdout}${stderr}`.trim());
  throw new Error(`${command} ${args.join(' ')} exited with ${status}; its output is above`);
}

/** As from a clean checkout: nothing is built yet. */
function pack(): void {
  rmSync(join(root, 'dist'), { recursive: true, force: true });
  must('npm', ['pack', '--pack-destination', scratch], root);
}

async function lintPackage(tarball: string): Promise<void> {
  const bytes = new Uint8Array(readFileSync(tarball));
  const { messages, pkg } = await publint({ strict: true, pack: { tarball: bytes.buffer } });
  if (messages.length > 0)
    throw new Error(
      messages.map((message) => formatMessage(message, pkg, { color: false })).join('; '),
    );
}

function checkTypeResolution(tarball: string): void {
  must(
    process.execPath,
    [
      join(root, 'node_modules/@arethetypeswrong/cli/dist/index.js'),
      tarball,
      '--profile',
      'esm-only',
    ],
    root,
  );
}

/**
 * An empty project with the tarball in it. `--offline` holds because the package has no
 * dependencies.
 */
function install(tarball: string, folder: string): void {
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
  must(
    'npm',
    [
      'install',
      '--offline',
      '--ignore-scripts',
      '--no-audit',
      '--no-fund',
      '--no-package-lock',
      tarball,
    ],
    folder,
  );
}

const evaluate = (code: string, folder: string): string =>
  must(process.execPath, ['--input-type=module', '--eval', code], folder);

/** The README's lines as a program: nine equal calls, and what the guard does about each. */
function readmeProgram(): string {
  const readme = readFileSync(join(root, 'README.md'), 'utf8');
  const [, imports, guard, spoke, turn] =
    /```ts\n(import [^\n]*)\n\n(const guard [^\n]*)\n\n(guard\.observe[^\n]*)\n\n(.*?)```/s.exec(
      readme,
    ) ?? [];
  if (!turn)
    throw new Error(
      'README.md: expected one ts block with an import, a guard, a prompt and what is done for each call',
    );
  return `${imports}
${guard}
let clock = 0;
const Date = { now: () => (clock += 2500) };
const callTheTool = async (_tool: string, _args: unknown): Promise<string> => 'the same page text again, long enough';
const askSomebody = async (_question: string): Promise<string> => 'Go on.';
const [prompt, modelMs] = ['Read the page.', 400];
${spoke}
const rungs: string[] = [];
for (let i = 1; i <= 9; i++) {
  const [id, tool, args] = [\`call-\${i}\`, 'fetch', { url: 'a' }] as const;
  try {
    ${turn}
    rungs.push(before.plan?.rung ?? after.plan?.rung ?? 'quiet');
  } catch {
    rungs.push('stop');
  }
}
export const done: string = rungs.join(' ');
`;
}

/** As a user's compiler sees it: under each way to resolve modules, types of libraries included. */
function compile(file: string, folder: string, types = '', lib = 'es2024'): void {
  const flags = [
    '--noEmit',
    '--strict',
    '--skipLibCheck',
    'false',
    '--target',
    'es2022',
    '--lib',
    lib,
    '--types',
    types,
  ];
  for (const [module, resolution] of [
    ['esnext', 'bundler'],
    ['node16', 'node16'],
    ['nodenext', 'nodenext'],
  ]) {
    const how = ['--module', module!, '--moduleResolution', resolution!];
    must(
      process.execPath,
      [join(root, 'node_modules/typescript/bin/tsc'), ...flags, ...how, file],
      folder,
    );
  }
}

/** Entries that name types of Node, of the web (`AbortSignal`), of Playwright or of `pg`. */
const NEED_TYPES = ['tasks', 'computer-use', 'testing', 'ledgers/postgres'];

/** Every entry type-checks: most without a type from anywhere else. */
function checkTypes(folder: string, manifest: Manifest): void {
  const lines = (names: string[]): string =>
    names
      .map(
        (name, i) =>
          `export * as entry${i} from '${manifest.name}${name === 'index' ? '' : `/${name}`}';\n`,
      )
      .join('');
  const names = entryNames(manifest);
  writeFileSync(
    join(folder, 'types.ts'),
    lines(names.filter((name) => !NEED_TYPES.includes(name))),
  );
  compile('types.ts', folder);
  mkdirSync(join(folder, 'node_modules/@types'), { recursive: true });
  for (const name of [
    '@types/node',
    'undici-types',
    'playwright-core',
    '@types/pg',
    'pg-protocol',
    'pg-types',
  ])
    symlinkSync(realpathSync(join(root, 'node_modules', name)), join(folder, 'node_modules', name));
  writeFileSync(join(folder, 'types.ts'), lines(names));
  compile('types.ts', folder, 'node', 'es2024,dom');
}

/** The same lines are checked by the compiler against the published types, then run. */
function useLibrary(folder: string): void {
  writeFileSync(join(folder, 'library.ts'), readmeProgram());
  compile('library.ts', folder);
  const done = evaluate(`console.log((await import('./library.ts')).done)`, folder);
  // After somebody has answered, the call runs again, and advice comes two rungs lower.
  const expected = 'quiet quiet note hint block escalate quiet quiet hint';
  if (done !== expected) throw new Error(`nine equal calls: expected ${expected}; got ${done}`);
}

function importEverySubpath(folder: string, manifest: Manifest): void {
  for (const name of entryNames(manifest)) {
    const specifier = name === 'index' ? manifest.name : `${manifest.name}/${name}`;
    evaluate(`await import(${JSON.stringify(specifier)})`, folder);
  }
}

/** The preset is not in it: a guard of one detector and one recovery notes the third equal call. */
function useCore(folder: string): void {
  const code = `import { createGuard, repeatedCall, sayWhatRepeats } from 'unrut/core';
    const guard = createGuard({ preset: { detectors: [repeatedCall], recoveries: [sayWhatRepeats] } });
    const call = (n) => ({ id: String(n), tool: 'fetch', args: { url: 'a' } });
    const finished = (n) => ({ type: 'call-finished', session: 's', at: n * 5000, call: call(n), result: 'the same page text again, long enough' });
    const rungs = [1, 2, 3].map((n) => guard.observe(finished(n)).plan?.rung ?? 'quiet');
    console.log(rungs.join(' '));`;
  const done = evaluate(code, folder);
  if (done !== 'quiet quiet note')
    throw new Error(`three equal calls: expected quiet quiet note; got ${done}`);
}

/** The plugin of the docs in a package of its own: its declarations name only what is exported. */
function publishPlugin(folder: string): void {
  const page = readFileSync(join(root, 'docs/plugins.md'), 'utf8');
  const [, plugin] = /```ts\n(\/\/ my-plugin\.ts\n.*?)```/s.exec(page) ?? [];
  if (!plugin)
    throw new Error('docs/plugins.md: expected a ts block that begins with my-plugin.ts');
  writeFileSync(join(folder, 'my-plugin.ts'), plugin);
  const flags = ['--strict', '--declaration', '--target', 'es2022', '--module', 'nodenext'];
  must(
    process.execPath,
    [
      join(root, 'node_modules/typescript/bin/tsc'),
      ...flags,
      ...['--types', '', '--outDir', 'my-plugin'],
      'my-plugin.ts',
    ],
    folder,
  );
  const code = `console.log((await import('./my-plugin/my-plugin.js')).default.detectors[0].name)`;
  const name = evaluate(code, folder);
  if (name !== 'blind-deploys') throw new Error(`expected the detector blind-deploys, got ${name}`);
}

function askVersion(folder: string, manifest: Manifest): void {
  const printed = must('npx', ['unrut', '--version'], folder);
  if (printed !== manifest.version)
    throw new Error(`npx unrut --version: expected ${manifest.version}, got ${printed}`);
}

/**
 * 0: nothing loops; 1: something does. Any other code means that an example could not be
 * replayed.
 */
function replayExamples(folder: string): void {
  const examples = join(root, 'examples');
  const files = readdirSync(examples).filter((name) => name.endsWith('.jsonl'));
  if (files.length === 0) throw new Error('there are no examples/*.jsonl');
  for (const file of files) {
    const { status, stdout, stderr } = run('npx', ['unrut', 'show', join(examples, file)], folder);
    if (status !== 0 && status !== 1)
      throw new Error(
        `npx unrut show ${file}: expected exit 0 or 1, got ${status}: ${stderr.trim()}`,
      );
    if (stdout.trim() === '') throw new Error(`npx unrut show ${file}: printed nothing`);
  }
}

/**
 * The example of an orchestrator, as somebody would copy it: it compiles, and each of its cases
 * ends by itself.
 */
function orchestrate(folder: string): void {
  const name = 'orchestrator.ts';
  copyFileSync(join(root, 'examples', name), join(folder, name));
  compile(name, folder, 'node', 'es2024,dom');
  const printed = must(process.execPath, [name], folder);
  const ended = printed.match(/: ended after \d+ ticks$/gm) ?? [];
  if (ended.length < 5 || printed.includes('DID NOT END'))
    throw new Error(`${name}: expected five cases that end, got ${printed}`);
}

/**
 * A composite action's steps as a runner makes them: inputs into the environment, then the shell,
 * in a folder with nothing but runs.
 */
function runAction(
  inputs: Record<string, string>,
  folder: string,
): Ran & { summary: string; outputs: string } {
  const action = join(root, 'action');
  const { inputs: declared, runs } = parse(
    readFileSync(join(action, 'action.yml'), 'utf8'),
  ) as Action;
  const [summary, outputs] = ['summary', 'outputs'].map((name) => join(folder, name)) as [
    string,
    string,
  ];
  for (const file of [summary, outputs]) writeFileSync(file, '');
  const given = (text: string): string =>
    text.replace(
      /\$\{\{ inputs\.([\w-]+) \}\}/g,
      (_, name: string) => inputs[name] ?? declared[name]?.default ?? '',
    );
  const runner = {
    GITHUB_ACTION_PATH: action,
    GITHUB_STEP_SUMMARY: summary,
    GITHUB_OUTPUT: outputs,
    GITHUB_WORKSPACE: folder,
  };
  let last: Ran = { status: 0, stdout: '', stderr: '' };
  for (const { run: script, env = {}, shell } of runs.steps) {
    const own = Object.fromEntries(
      Object.entries(env).map(([name, value]) => [name, given(value)]),
    );
    // As GitHub starts bash: it ends at the first command that fails.
    last = spawnSync(shell, ['--noprofile', '--norc', '-eo', 'pipefail', '-c', script], {
      cwd: folder,
      encoding: 'utf8' as const,
      stdio: ['ignore', 'pipe', 'pipe'] as const,
      env: { ...strangersEnvironment(), ...runner, ...own, npm_config_offline: 'true' },
    });
    if (last.status !== 0) break;
  }
  return {
    ...last,
    summary: readFileSync(summary, 'utf8'),
    outputs: readFileSync(outputs, 'utf8'),
  };
}

interface Action {
  inputs: Record<string, { default?: string }>;
  runs: { steps: { run: string; shell: string; env?: Record<string, string> }[] };
}

/**
 * The action with the tarball: a loop fails the job, and is known once it is in a baseline; limits,
 * strictness and reports are as asked.
 */
function useAction(): void {
  const example = readFileSync(join(root, 'examples/stuck-on-a-test.jsonl'));
  const cases: [what: string, inputs: Record<string, string>, status: number, said: RegExp][] = [
    ['a loop', { paths: 'runs' }, 1, /::error::Agent runs loop/],
    [
      'several paths, of which one is a glob',
      { paths: '\nruns/*.jsonl\nother folder/\n' },
      1,
      /::error::Agent runs loop/,
    ],
    ['a limit that is kept', { paths: 'runs', 'max-loops': '3', 'max-wasted': '50%' }, 0, /^$/],
    ['a limit that is not', { paths: 'runs', 'max-wasted': '5%' }, 1, /::error::/],
    ['a rung that is not reached', { paths: 'runs', 'fail-on': 'stop' }, 0, /^$/],
    ['a baseline', { paths: 'runs', baseline: 'known.json' }, 0, /^$/],
    ['a baseline that is not there yet', { paths: 'runs', baseline: 'none.json' }, 1, /::error::/],
    ['strictness', { paths: 'other folder', strict: 'true' }, 2, /::error::Nothing could be read/],
    ['no such path', { paths: 'nowhere' }, 2, /::error::Nothing could be read/],
    [
      'a path that would be code',
      { paths: '$(touch hacked)`touch hacked`; touch hacked' },
      2,
      /::error::/,
    ],
    [
      'a version that does not exist',
      { paths: 'runs', version: './none.tgz' },
      2,
      /::error::Cannot install/,
    ],
  ];
  for (const [what, inputs, status, said] of cases) {
    const folder = mkdtempSync(join(scratch, 'action-'));
    for (const name of ['runs', 'other folder']) mkdirSync(join(folder, name));
    writeFileSync(join(folder, 'runs/a.jsonl'), example);
    writeFileSync(join(folder, 'other folder/strange.json'), '{"name":"x"}');
    if (inputs.baseline === 'known.json')
      writeFileSync(
        join(folder, 'known.json'),
        run('npx', ['unrut', 'scan', '--json', join(folder, 'runs')], project).stdout,
      );
    const ran = runAction({ version: tarball, ...inputs }, folder);
    if (ran.status !== status || !said.test(ran.stdout))
      throw new Error(
        `${what}: expected ${status} and ${said}, got ${ran.status}: ${ran.stdout}${ran.stderr}`,
      );
    if (readdirSync(folder).includes('hacked')) throw new Error(`${what}: an input was run`);
    if (what.startsWith('a version')) continue;
    if (!ran.summary.startsWith('## Unrut scan'))
      throw new Error(`${what}: expected a summary of the job, got ${ran.summary.slice(0, 80)}`);
    if (ran.outputs !== `report-folder=unrut-report\nexit-code=${status}\n`)
      throw new Error(`${what}: got the outputs ${ran.outputs}`);
    const reports = readdirSync(join(folder, 'unrut-report')).sort().join(' ');
    if (reports !== 'report.csv report.html report.json report.sarif report.xml summary.md')
      throw new Error(`${what}: got the reports ${reports}`);
    JSON.parse(readFileSync(join(folder, 'unrut-report/report.json'), 'utf8'));
  }
}

/**
 * Two files that are large enough for threads: what the bundle starts in a thread is the bundle
 * itself.
 */
function scanWithThreads(folder: string): void {
  const example = join(root, 'examples/stuck-on-a-test.jsonl');
  const lines = readFileSync(example, 'utf8');
  mkdirSync(join(folder, 'runs'));
  for (const name of ['a', 'b'])
    writeFileSync(
      join(folder, 'runs', `${name}.jsonl`),
      lines.repeat(Math.ceil((3 << 20) / lines.length)),
    );
  const args = ['unrut', 'scan', '--top', '1', '--jobs', '2', '--html', 'report.html', 'runs'];
  const { status, stdout, stderr } = run('npx', args, folder);
  if (status !== 1)
    throw new Error(`npx ${args.join(' ')}: expected exit 1, got ${status}: ${stderr.trim()}`);
  if (!/^Found \d+ loops? in 2 of 2 runs:/.test(stdout))
    throw new Error(
      `npx ${args.join(' ')}: expected 2 of 2 runs to loop, got ${stdout.slice(0, 80)}`,
    );
  if (!readFileSync(join(folder, 'report.html'), 'utf8').includes('</html>'))
    throw new Error('report.html is no page');
}

/** A server needs its ledger, and the page that came with the package. */
async function serveDashboard(folder: string): Promise<void> {
  const env = { ...strangersEnvironment(), UNRUT_HOME: join(folder, 'home') };
  const server = spawn(
    process.execPath,
    ['node_modules/unrut/dist/cli.js', 'serve', '--port', '0'],
    { cwd: folder, env, stdio: 'pipe' },
  );
  try {
    const said = await new Promise<string>((resolve) => {
      for (const stream of [server.stdout, server.stderr])
        stream.once('data', (data: Buffer) => resolve(data.toString()));
    });
    const [url] = /http:\/\/[\d.:]+/.exec(said) ?? [];
    if (!url)
      throw new Error(`unrut serve: expected it to say where it listens, got ${said.trim()}`);
    const page = await (await fetch(url)).text();
    const [, script] = /src="([^"]+)"/.exec(page) ?? [];
    if (!script || !(await fetch(url + script)).ok)
      throw new Error(`unrut serve: expected the dashboard at ${url}, got ${page.slice(0, 80)}`);
  } finally {
    server.kill();
  }
}

const scratch = mkdtempSync(join(tmpdir(), 'unrut-package-'));
const manifest = readManifest();
const project = join(scratch, 'project');
const installed = join(project, 'node_modules', manifest.name);
const tarball = join(scratch, `${manifest.name}-${manifest.version}.tgz`);

const steps: [what: string, act: () => void | Promise<void>][] = [
  ['npm pack, which builds', pack],
  ['publint', () => lintPackage(tarball)],
  ['are the types wrong', () => checkTypeResolution(tarball)],
  ['install in an empty folder', () => install(tarball, project)],
  ['no module is missing or stray', () => checkModules(installed, manifest)],
  ['nothing else is shipped', () => checkContents(installed, statSync(tarball).size)],
  ['every link in the README and the docs works', () => checkLinks(root)],
  ['sizes', async () => console.log(await checkSizes(project))],
  ["the README's own loop", () => useLibrary(project)],
  ['a guard without the preset', () => useCore(project)],
  ['a plugin in a package of its own', () => publishPlugin(project)],
  ['types under bundler, node16 and nodenext', () => checkTypes(project, manifest)],
  ['examples/orchestrator.ts compiles and ends', () => orchestrate(project)],
  ['every subpath can be imported', () => importEverySubpath(project, manifest)],
  ['npx unrut --version', () => askVersion(project, manifest)],
  ['npx unrut show of every example', () => replayExamples(project)],
  ['the action, step by step, in an empty folder', useAction],
  ['npx unrut scan on two threads', () => scanWithThreads(project)],
  ['unrut serve shows the dashboard', () => serveDashboard(project)],
];

try {
  for (const [what, act] of steps) {
    try {
      await act();
      console.log(`ok: ${what}`);
    } catch (error) {
      console.error(
        `Packaging failed at "${what}": ${error instanceof Error ? error.message : String(error)}`,
      );
      process.exitCode = 1;
      break;
    }
  }
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
