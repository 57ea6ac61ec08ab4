import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root } from '../../scripts/build.ts';
import type { Agent } from './agents/agent.ts';

/**
 * Together the agents take more than a gigabyte: they are installed once for all copies of this
 * project.
 */
const SHELF = join(tmpdir(), `unrut-agents-${userInfo().username}`);

/** The project's own Node comes first: some agents need a newer one than the machine has. */
export const PATH = `${join(root, 'node_modules/.bin')}:${process.env.PATH}`;

/** For a hook that installs an agent. */
export const INSTALL_TIMEOUT = 600_000;

/** What of an agent has to be known to install it. */
export type Program = Pick<Agent, 'name' | 'package' | 'version' | 'command'>;

/** Where the agent's command is. The first time, it is installed from npm. */
export async function installAgent({
  name,
  package: pack,
  version,
  command,
}: Program): Promise<string> {
  return install(pack, version, `${name}-${version}`, join('.bin', command));
}

/**
 * Where a package is, without what it needs for one platform only; `beside` names what it cannot
 * be imported without all the same.
 */
export const installPackage = (
  pack: string,
  version: string,
  beside: Readonly<Record<string, string>> = {},
): Promise<string> => {
  const place = [
    pack.replace(/\W+/g, '-'),
    version,
    ...Object.keys(beside).map((name) => name.replace(/\W+/g, '-')),
  ].join('-');
  return install(pack, version, place, pack, ['--omit=optional'], beside);
};

/** A folder with these packages, in which programs that import them can stand. */
export async function installPackages(
  place: string,
  packages: Readonly<Record<string, string>>,
): Promise<string> {
  const [[pack, version] = ['', '']] = Object.entries(packages);
  const file = await install(pack, version, place, pack, ['--legacy-peer-deps'], packages);
  return file.slice(0, file.lastIndexOf(join('node_modules', pack)));
}

async function install(
  pack: string,
  version: string,
  place: string,
  wanted: string,
  flags: readonly string[] = [],
  beside: Readonly<Record<string, string>> = {},
): Promise<string> {
  const folder = join(SHELF, place);
  const file = join(folder, 'node_modules', wanted);
  if (existsSync(file)) return file;
  await mkdir(SHELF, { recursive: true, mode: 0o700 });
  const staging = await mkdtemp(join(SHELF, 'new-'));
  const manifest = {
    private: true,
    dependencies: { [pack]: version, ...beside },
    allowScripts: { [pack]: true },
  };
  try {
    await writeFile(join(staging, 'package.json'), JSON.stringify(manifest));
    await promisify(execFile)(
      'npm',
      ['install', '--no-audit', '--no-fund', '--loglevel=error', ...flags],
      {
        cwd: staging,
        env: { ...process.env, PATH },
      },
    );
    // Another test may have been faster.
    await rename(staging, folder).catch(() => undefined);
  } catch (error) {
    const reason =
      (error as { stderr?: string }).stderr
        ?.trim()
        .split('\n')[0]
        ?.replace(/^npm error /, '') || (error as Error).message;
    throw new Error(
      `These tests run the real ${pack}, and \`npm install ${pack}@${version}\` failed: ${reason}. Check the way to npm.`,
    );
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
  if (!existsSync(file))
    throw new Error(
      `${pack}@${version} was installed, but ${file} is missing. Remove ${folder} and try again.`,
    );
  return file;
}
