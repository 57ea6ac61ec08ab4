import { existsSync, realpathSync } from 'node:fs';
import { delimiter, dirname, isAbsolute, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { UnrutError } from '../errors.ts';
import { ledgerPath } from '../ledger/sqlite/ledger-path.ts';
import type { Machine } from '../machine.ts';
import { readTextFile } from '../settings-files/change-file.ts';
import type { Edit, HookReach } from '../settings-files/order.ts';

/** Where the files are that agents start, and which of them have to be put there first. */
export interface HookFiles extends Pick<HookReach, 'node' | 'hook' | 'plugin'> {
  copies: Edit[];
}

/** Folders of packages that were fetched for one run only: of npx, pnpm, Yarn and Bun. */
const FLEETING = /[\\/](?:_npx|dlx-[^\\/]+|xfs-[^\\/]+|bunx-[^\\/]+)[\\/]/;

/** The files of this package; copies of them beside the ledger, when the package itself may be gone tomorrow. */
export function hookFiles(machine: Machine, folder: string = builtFolder()): HookFiles {
  const node = lastingNode(machine);
  const built = { hook: join(folder, 'hook.cjs'), plugin: join(folder, 'opencode-plugin.js') };
  if (!existsSync(built.hook)) throw new UnrutError('not-built', `${built.hook} is missing. In a checkout, run \`npm run build\` first.`);
  if (!FLEETING.test(folder)) return { node, ...built, copies: [] };
  const kept = dirname(ledgerPath(machine));
  const copied = { hook: join(kept, 'hook.cjs'), plugin: join(kept, 'opencode-plugin.mjs') };
  const program = copyTo(join(kept, 'hook-program.cjs'), join(folder, 'hook-program.cjs'));
  return { node, ...copied, copies: [copyTo(copied.hook, built.hook), program, copyTo(copied.plugin, built.plugin)] };
}

const copyTo = (path: string, from: string): Edit => ({ path, add: () => readTextFile(from) ?? '', remove: () => undefined });

/** Where the bundled files are: beside this one, when it is bundled itself; in a clone, where the build puts them. */
function builtFolder(): string {
  const folder = dirname(fileURLToPath(import.meta.url));
  return existsSync(join(folder, 'hook.cjs')) ? folder : fileURLToPath(new URL('../../dist', import.meta.url));
}

/** This Node, by a name that survives its next update, where the PATH has one. */
function lastingNode({ variables, platform }: Machine): string {
  const real = realpathSync(process.execPath);
  const names = (variables.PATH ?? '').split(delimiter).map((folder) => join(folder, platform === 'win32' ? 'node.exe' : 'node'));
  const lasting = names.find((name) => isAbsolute(name) && !/node_modules|fnm_multishells/.test(name) && leadsTo(name, real));
  return lasting ?? process.execPath;
}

function leadsTo(name: string, real: string): boolean {
  try {
    return realpathSync(name) === real;
  } catch {
    return false;
  }
}
