import { existsSync, readdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { copyTo, hookFiles } from '@unrut/agents/install/hook-files';
import { mcpClientEdit, serversIn } from '@unrut/agents/install/mcp-clients';
import {
  additions,
  type FileChange,
  isNothing,
  performChange,
  removals,
} from '@unrut/agents/settings-files/change';
import { backupOf, readTextFile } from '@unrut/agents/settings-files/change-file';
import type { Edit } from '@unrut/agents/settings-files/order';
import { UnrutError } from '@unrut/engine/errors';
import { errorReason } from '@unrut/engine/redact/reason';
import { printable } from '@unrut/engine/text/printable';
import { builtFolder } from '@unrut/ledger/processes/built-folder';
import { here } from './chosen-agents.ts';
import { EXIT } from './exit.ts';

/**
 * `unrut install --mcp`: puts the proxy in front of the servers in these configs of MCP clients.
 * Returns the exit code.
 */
export function installMcp(
  files: readonly string[],
  { shadow, dryRun }: { shadow: boolean; dryRun: boolean },
): number {
  const at = here();
  const { node, hook, copies } = hookFiles(at, 'user');
  const built = builtCommand();
  // If the hook had to be copied, so was our command.
  const command = copies.length === 0 ? built : join(dirname(hook), 'cli.mjs');
  const copy =
    copies.length === 0
      ? []
      : [
          copyTo(command, built),
          ...copiesOf(join(dirname(hook), 'command'), join(dirname(built), 'command')),
        ];
  return each(files, (path) => {
    const edit = mcpClientEdit(path, { node, command, shadow });
    const changes = carriedOut(additions([...copy, edit]), dryRun);
    const names = serversIn(readTextFile(path)!, path).join(', ');
    if (names === '')
      return `No server in ${path} is started by a command, so there is nothing to wrap.`;
    const change = changes.find((each) => each.path === path);
    if (!change)
      return `The servers in ${path} are already watched (${names}); nothing was changed.`;
    const kept = change.wasThere ? '' : `\n  Backup: ${backupOf(path)}`;
    return `The servers in ${path} ${dryRun ? 'would be' : 'are'} watched: ${names}.${kept}\n  Restart the client. Undo: unrut uninstall --mcp ${path}`;
  });
}

const copiesOf = (folder: string, from: string): Edit[] =>
  readdirSync(from).map((name) => copyTo(join(folder, name), join(from, name)));

/** `unrut uninstall --mcp`: takes the proxy out again. Returns the exit code. */
export function uninstallMcp(files: readonly string[], dryRun: boolean): number {
  return each(files, (path) => {
    const edit = mcpClientEdit(path, { node: 'node', command: '/cli.js', shadow: false });
    if (readTextFile(path) === undefined)
      throw new UnrutError('unreadable', `Cannot read ${path}: no such file.`);
    const [change] = carriedOut(removals([edit]), dryRun);
    if (!change) return `No server in ${path} is watched; nothing was changed.`;
    return `The servers in ${path} ${dryRun ? 'would be' : 'are'} no longer watched. Restart the client.`;
  });
}

function carriedOut(changes: readonly FileChange[], dryRun: boolean): FileChange[] {
  const needed = changes.filter((change) => !isNothing(change));
  if (!dryRun) for (const change of needed) performChange(change, []);
  return needed;
}

function each(files: readonly string[], work: (path: string) => string): number {
  let failed = false;
  for (const file of files) {
    try {
      for (const line of work(resolve(file)).split('\n')) console.log(printable(line));
    } catch (error) {
      failed = true;
      console.error(printable(errorReason(error)));
    }
  }
  return failed ? EXIT.unreadable : EXIT.ok;
}

/** The command as it is published. */
function builtCommand(): string {
  const file = join(builtFolder(), 'cli.js');
  if (!existsSync(file))
    throw new UnrutError(
      'not-built',
      `${file} is missing. In a checkout, run \`npm run build\` first.`,
    );
  return file;
}
