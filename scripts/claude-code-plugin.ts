import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Where the sources of the plugin are, from the repository's root. */
const SOURCE = 'plugins/claude-code';

/** Puts the plugin of Claude Code together: a folder that needs nothing outside it, with the bundled hook and the package's version. */
export function assembleClaudeCodePlugin(root: string, folder: string, hook: string, version: string): void {
  cpSync(join(root, SOURCE), folder, { recursive: true });
  for (const name of ['hook.cjs', 'hook-program.cjs']) cpSync(join(dirname(hook), name), join(folder, name));
  const manifest = join(folder, '.claude-plugin/plugin.json');
  const { name, ...rest } = JSON.parse(readFileSync(manifest, 'utf8')) as { name: string };
  writeFileSync(manifest, `${JSON.stringify({ name, version, ...rest }, null, 2)}\n`);
}
