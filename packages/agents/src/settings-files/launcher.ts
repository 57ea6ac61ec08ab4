import { LAUNCHER } from './hook-command.ts';
import type { Edit, Order, Surroundings } from './order.ts';
import { ownFile } from './own-file.ts';
import { joinOn } from './places.ts';

/**
 * In the first lines of what a project gets, where those who read its files and the tools that
 * check them look.
 */
const HEAD = `// Written by \`unrut install --project\`; \`unrut uninstall --project\` removes it. Connects coding agents to Unrut, for everybody who works on this project.
`;
const GENERATED = `/* eslint-disable */
// biome-ignore-all lint format: generated
// prettier-ignore
`;

/**
 * Starts the hook of the package that the project has, or else of the one that is installed for
 * all; with none, says nothing and ends well.
 */
const TEXT = `${HEAD}// Without the package \`unrut\` it does nothing.
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
  // An agent continues as if nobody had been asked.
}
`;

/**
 * What a project needs to start the hook: all of it, so that it works for whoever clones the
 * project; or, where that has the package, a launcher.
 */
export function launcherEdits({ scope, at, call }: Order): Edit[] {
  if (scope === 'user' || call.server !== undefined) return [];
  if (!call.files) return [ownFile(joinOn(at)(at.project, ...LAUNCHER.split('/')), TEXT)];
  const { hook, program, postgres } = call.files;
  return [
    generatedFile(at, 'hook.cjs', hook),
    generatedFile(at, 'hook-program.cjs', program),
    generatedFile(at, 'hook-postgres.cjs', postgres),
  ];
}

/** A bundled file next to the launcher of a project. */
export const generatedFile = (at: Surroundings, name: string, text: string): Edit =>
  ownFile(joinOn(at)(at.project, '.unrut', name), `${HEAD}${GENERATED}${text}`);
