import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { InstallableHost } from '../hosts/index.ts';
import type { Surroundings } from '../settings-files/order.ts';

/** Whether an agent is installed, judging by its folders and programs. */
export const isFound = (
  { programs = [], install, folders = (machine) => [install.folder(machine)] }: InstallableHost,
  at: Surroundings,
): boolean =>
  folders(at).some((folder) => existsSync(folder)) ||
  programs.some((program) => programPath(program, at) !== undefined);

/** Finds a program on the PATH. */
function programPath(
  program: string,
  { variables, platform }: Pick<Surroundings, 'variables' | 'platform'>,
): string | undefined {
  const endings = platform === 'win32' ? ['.exe', '.cmd', ''] : [''];
  const names = (variables.PATH ?? '')
    .split(delimiter)
    .flatMap((folder) => endings.map((ending) => join(folder, program + ending)));
  return names.find((name) => existsSync(name));
}

/**
 * The version that an agent's program reports; undefined if it is not on the PATH or reports none.
 */
export function versionOf(
  { programs = [] }: InstallableHost,
  at: Surroundings,
): string | undefined {
  const program = programs.map((name) => programPath(name, at)).find((path) => path !== undefined);
  if (program === undefined) return undefined;
  const { stdout } = spawnSync(program, ['--version'], {
    encoding: 'utf8',
    timeout: 10_000,
    shell: program.endsWith('.cmd'),
  });
  return /\d+(?:\.\d+)+/.exec(stdout ?? '')?.[0];
}
