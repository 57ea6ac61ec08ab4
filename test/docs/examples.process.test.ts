import { execFile } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import {
  createGuard,
  type Plugin,
  type Preset,
  recommended,
} from '../../packages/cli/src/index.ts';
import { testDetector, testRecovery } from '../../packages/testing/src/index.ts';
import { apiReferenceFile, makeApiReference } from '../../scripts/api-reference.ts';
import { root } from '../../scripts/build.ts';

/** Pages whose TypeScript is compiled. The README's loop has names of its own, declared here. */
const PAGES = ['docs/api.md', 'docs/cookbook.md', 'docs/plugins.md', 'docs/library.md'];
const README_LOOP = `declare const prompt: string, id: string, tool: string, args: object, modelMs: number;
declare function callTheTool(tool: string, args: object): Promise<string>;
declare function askSomebody(text: string): Promise<string>;
`;

/**
 * Definitions that the pages about migrating from own designs assume. Their code is put into a
 * function.
 */
const FROM: Record<string, string> = {
  'loop-recovery-policy':
    "declare const page: import('playwright-core').Page, plan: { values: { label: string; value: string }[] }; let prompt = '';",
  'output-signatures':
    'declare const output: string, signatures: string[]; declare function escalate(): void;',
  'patch-warning':
    'declare const session: string, id: string, tool: string, args: object, result: string;',
  'recovery-candidates':
    "declare const session: string, id: string, tool: string, args: object, message: string; let result = '';",
  'task-loop-detector': `type Status = 'pending' | 'in_progress' | 'needs_review' | 'needs_improvement' | 'blocked' | 'done';
declare const stateMachine: { task(id: string): { status: Status }; transition(id: string, status: Status, reason: string): void };
declare const task: { id: string }, status: Status, blockers: string[], completedWork: string[], sessionId: string;`,
};

/** An example as the body of a function: its imports stay at the top. */
function inFunction(code: string, given: string): string {
  const imports = code.match(/^import .*$/gm) ?? [];
  const body = code.replace(/^import .*$/gm, '');
  return `${imports.join('\n')}\n${given}\nexport async function yours() {\n${body}}\n`;
}

const examplesIn = (page: string): string[] =>
  [...readFileSync(join(root, page), 'utf8').matchAll(/^```ts\n([\s\S]*?)^```/gm)]
    .map(([, code]) => code!)
    .filter((code) => /^import /m.test(code));

const ENTRIES = {
  unrut: ['packages/cli/src/index.ts'],
  'unrut/tasks': ['packages/tasks/src/index.ts'],
  'unrut/computer-use': ['packages/computer-use/src/index.ts'],
  'unrut/client': ['packages/adapters/src/client/index.ts'],
  'unrut/testing': ['packages/testing/src/index.ts'],
  'unrut/ledgers/sqlite': ['packages/ledger/src/sqlite/index.ts'],
  'unrut/*': ['packages/adapters/src/frameworks/*/index.ts'],
};

test('every example of the docs compiles, strictly and with exactOptionalPropertyTypes', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'unrut-docs-'));
  try {
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
    mkdirSync(join(folder, 'src'));
    const written = PAGES.flatMap((page) =>
      examplesIn(page).map((code, i) => {
        const file = `src/${page.replace(/\W/g, '-')}-${i}.ts`;
        writeFileSync(join(folder, file), `${code}\nexport {};\n`);
        return file;
      }),
    );
    for (const [name, given] of Object.entries(FROM)) {
      const [code, ...more] = examplesIn(`docs/from/${name}.md`);
      expect(more).toEqual([]);
      writeFileSync(join(folder, `src/from-${name}.ts`), inFunction(code!, given));
    }
    const [loop] = examplesIn('README.md').filter((code) => code.includes('createGuard'));
    writeFileSync(join(folder, 'src/readme.ts'), `${README_LOOP}${loop}\nexport {};\n`);
    expect(written.length).toBeGreaterThan(20);
    const paths = Object.fromEntries(
      Object.entries(ENTRIES).map(([name, files]) => [name, files.map((file) => join(root, file))]),
    );
    const compilerOptions = {
      paths,
      noEmit: true,
      strict: true,
      target: 'es2024',
      lib: ['es2024', 'dom', 'dom.asynciterable'],
      module: 'esnext',
      moduleResolution: 'bundler',
      allowImportingTsExtensions: true,
      skipLibCheck: true,
      types: ['node'],
      typeRoots: [join(root, 'node_modules/@types')],
    };
    const config = (more: object) =>
      JSON.stringify({ compilerOptions: { ...compilerOptions, ...more }, include: ['src'] });
    writeFileSync(join(folder, 'tsconfig.json'), config({ exactOptionalPropertyTypes: true }));
    const compiler = [join(root, 'node_modules/typescript/bin/tsc'), '-p', '.'];
    const complaints = await promisify(execFile)(process.execPath, compiler, { cwd: folder }).then(
      () => '',
      (error: { stdout: string }) => error.stdout,
    );
    // Our own sources are compiled by another config; only what users write counts.
    expect(complaints.split('\n').filter((line) => line.startsWith('src/'))).toEqual([]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('the API reference says what the types say', () => {
  expect(readFileSync(apiReferenceFile, 'utf8')).toBe(makeApiReference());
});

test('the plugin of the docs passes its suites, and warns about blind deploys only', async () => {
  const [plugin] = examplesIn('docs/plugins.md');
  const file = join(root, 'test/docs/plugin-of-the-docs.ts');
  const entry = "'../../packages/cli/src/index.ts'";
  writeFileSync(file, plugin!.replace("'unrut'", entry));
  try {
    const { default: given } = (await import(file)) as { default: Plugin };
    const page = readFileSync(join(root, 'docs/plugins.md'), 'utf8');
    const [, readme] = /^````md\n([\s\S]*?)^````$/m.exec(page)!;
    const cases = [
      ...given.detectors!.flatMap((detector) => testDetector(detector, readme!)),
      ...given.recoveries!.flatMap((recovery) => testRecovery(recovery)),
    ];
    expect(cases.map(({ name }) => name).join('\n')).toMatch(
      /fires: three-deploys[\s\S]*tested-deploys/,
    );
    for (const each of cases) each.run();
    const preset: Preset = {
      ...recommended,
      detectors: [...recommended.detectors, ...given.detectors!],
      recoveries: [...recommended.recoveries, ...given.recoveries!],
    };
    const played = (tools: readonly string[]): string[] => {
      const guard = createGuard({ preset });
      return tools.flatMap((tool, i) => {
        const call = { id: `c${i}`, tool, args: { version: i } };
        const at = 5000 * i;
        const result = `Released version ${i} to ${'abcdefgh'[i]!.repeat(9)}.`;
        const { plan } = guard.observe({ type: 'call-finished', session: 's', at, call, result });
        return plan ? [plan.toModel] : [];
      });
    };
    const texts = played(Array(6).fill('deploy'));
    expect(texts.join('\n')).toMatch(/deployed \d times without running the tests/);
    expect(played(['deploy', 'run_tests', 'deploy', 'run_tests', 'deploy', 'run_tests'])).toEqual(
      [],
    );
  } finally {
    unlinkSync(file);
  }
});
