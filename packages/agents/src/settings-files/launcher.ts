import { LAUNCHER } from './hook-command.ts';
import type { Edit, Order, Surroundings } from './order.ts';
import { ownFile } from './own-file.ts';
import { joinOn } from './places.ts';

/** Added to generated project files, for readers and linters. */
const HEAD = `// Written by \`unrut install --project\`; \`unrut uninstall --project\` removes it. Connects coding agents to Unrut, for everybody who works on this project.
`;
const GENERATED = `/* eslint-disable */
// biome-ignore-all lint format: generated
// prettier-ignore
`;

/**
 * Starts the hook of the project's package, otherwise of the global one; without either, exits with
 * 0.
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
 * The files with which a project starts the hook: the whole program, so that it works in every
 * clone; or a launcher, if the project has the package.
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

/** A bundled file next to a project's launcher. */
export const generatedFile = (at: Surroundings, name: string, text: string): Edit =>
  ownFile(joinOn(at)(at.project, '.unrut', name), `${HEAD}${GENERATED}${text}`);
