import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * What agents can install as theirs: where its sources are, from the repository's root, and which
 * of its files says the version.
 */
export const PLUGINS: Readonly<Record<string, { source: string; manifest: string }>> = {
  'claude-code-plugin': { source: 'plugins/claude-code', manifest: '.claude-plugin/plugin.json' },
  'gemini-cli-extension': { source: 'plugins/gemini-cli', manifest: 'gemini-extension.json' },
};

/**
 * Puts a plugin together: a folder that needs nothing outside it, with the bundled hook and the
 * package's version.
 */
export function assemblePlugin(
  name: string,
  root: string,
  folder: string,
  hook: string,
  version: string,
): void {
  const { source, manifest } = PLUGINS[name]!;
  cpSync(join(root, source), folder, { recursive: true });
  for (const file of ['hook.cjs', 'hook-program.cjs'])
    cpSync(join(dirname(hook), file), join(folder, file));
  const path = join(folder, manifest);
  const { name: plugin, ...rest } = JSON.parse(readFileSync(path, 'utf8')) as { name: string };
  writeFileSync(path, `${JSON.stringify({ name: plugin, ...rest, version }, null, 2)}\n`);
}
