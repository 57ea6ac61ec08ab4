import { execFile } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { onTestFinished } from 'vitest';
import { root } from '../../scripts/build.ts';
import { PATH } from './install-agent.ts';

/**
 * A project that has a framework, by the place of one of its packages, and Unrut as it is in this
 * checkout.
 */
function projectWith(installed: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'unrut-consumer-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  symlinkSync(
    realpathSync(
      installed.slice(0, installed.lastIndexOf('/node_modules/') + '/node_modules'.length),
    ),
    join(folder, 'node_modules'),
  );
  return folder;
}

const FLAGS = [
  '--noEmit',
  '--strict',
  '--target',
  'es2022',
  '--lib',
  'es2024,dom,dom.asynciterable',
  '--allowImportingTsExtensions',
];

/**
 * Compiles a program that uses a framework and Unrut, whose own types are checked with it. Throws
 * with what the compiler says.
 */
export async function compileConsumer(installed: string, code: string): Promise<void> {
  const folder = projectWith(installed);
  writeFileSync(join(folder, 'consumer.ts'), code);
  const paths = { 'unrut/*': [join(root, 'packages/adapters/src/frameworks/*/index.ts')] };
  const compilerOptions = {
    paths,
    types: ['node'],
    typeRoots: [join(root, 'node_modules/@types')],
    module: 'esnext',
    moduleResolution: 'bundler',
    skipLibCheck: true,
  };
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions, files: ['consumer.ts'] }),
  );
  try {
    await promisify(execFile)(process.execPath, [
      join(root, 'node_modules/typescript/bin/tsc'),
      '-p',
      folder,
      ...FLAGS,
    ]);
  } catch (error) {
    throw new Error(`the consumer does not compile:\n${(error as { stdout: string }).stdout}`);
  }
}

/** Runs an example as a user would, and gives the lines that it prints. */
export async function runExample(name: string, installed: string): Promise<string[]> {
  const folder = projectWith(installed);
  writeFileSync(
    join(folder, 'resolve.mjs'),
    HOOKS.replaceAll('ROOT', join(root, 'packages/adapters/src/frameworks')),
  );
  cpSync(join(root, 'examples/frameworks', `${name}.mjs`), join(folder, 'example.mjs'));
  mkdirSync(join(folder, 'home'));
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--import', './resolve.mjs', 'example.mjs'],
    {
      cwd: folder,
      env: { PATH, HOME: join(folder, 'home') },
    },
  );
  return stdout.trim().split('\n');
}

/**
 * Examples import what is published; here that is the source, which finds the framework where the
 * example is.
 */
const HOOKS = `import { registerHooks } from 'node:module';
registerHooks({
  resolve(name, context, next) {
    if (name.startsWith('unrut/')) return next('file://ROOT/' + name.slice(6) + '/index.ts', context);
    const isFramework = /^(?!@unrut\\/)[@\\w]/.test(name) && context.parentURL?.startsWith('file://ROOT/');
    return next(name, isFramework ? { ...context, parentURL: import.meta.url } : context);
  },
});
`;
