import { existsSync, realpathSync } from 'node:fs';
import { delimiter, dirname, isAbsolute, join } from 'node:path';
import { UnrutError } from '@unrut/engine/errors';
import { isObject, parsed } from '@unrut/engine/json';
import type { Machine } from '@unrut/engine/machine';
import { builtFolder } from '@unrut/ledger/processes/built-folder';
import { ledgerPath } from '@unrut/ledger/sqlite/ledger-path';
import { readTextFile } from '../settings-files/change-file.ts';
import type { Edit, HookReach, HookTexts, Scope, Surroundings } from '../settings-files/order.ts';

/** The files that agents start, and those that must be copied first. */
export interface HookFiles extends Pick<HookReach, 'node' | 'hook' | 'plugin' | 'files'> {
  copies: Edit[];
}

/** Temporary package folders of npx, pnpm, Yarn and Bun. */
const FLEETING = /[\\/](?:_npx|dlx-[^\\/]+|xfs-[^\\/]+|bunx-[^\\/]+)[\\/]/;

/** Folders that package managers add to the PATH temporarily. */
const PASSING = new RegExp(`${FLEETING.source}|[\\\\/]node_modules[\\\\/]\\.bin[\\\\/]`);

/**
 * The files of this package; copies next to the ledger or in the project if the package is
 * temporary.
 */
export function hookFiles(at: Surroundings, scope: Scope): HookFiles {
  const folder = builtFolder();
  const node = lastingNode(at);
  const built = { hook: join(folder, 'hook.cjs'), plugin: join(folder, 'agent-plugins.js') };
  if (!existsSync(built.hook))
    throw new UnrutError(
      'not-built',
      `${built.hook} is missing. In a checkout, run \`npm run build\` first.`,
    );
  if (scope === 'project')
    return {
      node,
      ...built,
      copies: [],
      files: hasPackage(at.project) ? undefined : textsIn(folder),
    };
  if (!FLEETING.test(folder) && !isOfProject(folder)) return { node, ...built, copies: [] };
  const { hook, program, postgres, plugin } = keptFiles(at);
  const copies = [
    copyTo(hook, built.hook),
    copyTo(program, join(folder, 'hook-program.cjs')),
    copyTo(postgres, join(folder, 'hook-postgres.cjs')),
    copyTo(plugin, built.plugin),
  ];
  return { node, hook, plugin, copies };
}

/** The user's own copies, next to the ledger. */
export function keptFiles(at: Machine): Record<keyof HookTexts, string> {
  const kept = dirname(ledgerPath(at));
  return {
    hook: join(kept, 'hook.cjs'),
    program: join(kept, 'hook-program.cjs'),
    postgres: join(kept, 'hook-postgres.cjs'),
    plugin: join(kept, 'agent-plugins.mjs'),
  };
}

function textsIn(folder: string): HookTexts {
  const textOf = (name: string): string => readTextFile(join(folder, name)) ?? '';
  return {
    hook: textOf('hook.cjs'),
    program: textOf('hook-program.cjs'),
    postgres: textOf('hook-postgres.cjs'),
    plugin: textOf('agent-plugins.js'),
  };
}

/** Whether a project's package.json lists the package, so that every clone has it. */
export function hasPackage(project: string): boolean {
  const manifest = parsed(readTextFile(join(project, 'package.json')) ?? '');
  if (!isObject(manifest)) return false;
  return [manifest.dependencies, manifest.devDependencies].some(
    (listed) => isObject(listed) && 'unrut' in listed,
  );
}

/** Whether the package belongs to one project; settings for all projects must not depend on it. */
function isOfProject(folder: string): boolean {
  const [root, ...inside] = folder.split(/[\\/]node_modules[\\/]/);
  return inside.length > 0 && existsSync(join(root!, 'package.json'));
}

/** Readable by the user only, like all files next to the ledger. */
export const copyTo = (path: string, from: string): Edit => ({
  path,
  add: () => readTextFile(from) ?? '',
  remove: () => undefined,
  mode: 0o600,
});

/**
 * How a user types our command: by its name if it is permanently on the PATH, otherwise with npx.
 */
export function commandWord({ variables, platform }: Machine): 'unrut' | 'npx unrut' {
  const name = platform === 'win32' ? 'unrut.cmd' : 'unrut';
  const lasting = (variables.PATH ?? '')
    .split(delimiter)
    .filter((folder) => isAbsolute(folder) && !PASSING.test(join(folder, name)));
  return lasting.some((folder) => existsSync(join(folder, name))) ? 'unrut' : 'npx unrut';
}

/** A path of this Node that survives updates, if the PATH has one. */
function lastingNode({ variables, platform }: Machine): string {
  const real = realpathSync(process.execPath);
  const names = (variables.PATH ?? '')
    .split(delimiter)
    .map((folder) => join(folder, platform === 'win32' ? 'node.exe' : 'node'));
  const lasting = names.find(
    (name) => isAbsolute(name) && !/node_modules|fnm_multishells/.test(name) && leadsTo(name, real),
  );
  return lasting ?? process.execPath;
}

function leadsTo(name: string, real: string): boolean {
  try {
    return realpathSync(name) === real;
  } catch {
    return false;
  }
}
