import { LAUNCHER } from './hook-command.ts';
import type { Edit, Order } from './order.ts';
import { ownFile } from './own-file.ts';
import { joinOn } from './places.ts';

/** Starts the hook of the package that the project has, or else of the one that is installed for all; with none, says nothing and ends well. */
const TEXT = `// Connects coding agents to Unrut, for everybody who works on this project. Without the package \`unrut\` it does nothing.
// Written by \`unrut install --project\`; \`unrut uninstall --project\` removes it.
const { existsSync, realpathSync } = require('node:fs');
const { delimiter, dirname, join } = require('node:path');

/** The folders in which the package may be: in the project, and where its command leads to. */
function* packages() {
  for (let folder = dirname(__dirname); ; folder = dirname(folder)) {
    yield join(folder, 'node_modules', 'unrut');
    if (folder === dirname(folder)) break;
  }
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    yield join(folder, 'node_modules', 'unrut');
    const command = join(folder, 'unrut');
    if (existsSync(command)) yield dirname(dirname(realpathSync(command)));
  }
}

try {
  const hook = [...packages()].map((folder) => join(folder, 'dist', 'hook.cjs')).find(existsSync);
  if (hook) require(hook);
} catch {
  // An agent goes on as if nobody had been asked.
}
`;

/** The launcher of a project, where it is needed. */
export function launcherEdits({ scope, at, call }: Order): Edit[] {
  return scope === 'project' && call.server === undefined ? [ownFile(joinOn(at)(at.project, ...LAUNCHER.split('/')), TEXT)] : [];
}
