import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * What agents can install as theirs: where its sources are, from the repository's root, and which
 * of its files says the version.
 */
export const PLUGINS: Readonly<Record<string, { source: string; manifest: string }>> = {
  'claude-code-plugin': { source: 'plugins/claude-code', manifest: '.claude-plugin/plugin.json' },
  'gemini-cli-extension': { source: 'plugins/gemini-cli', manifest: 'gemini-extension.json' },
};

/**
 * Puts a plugin together, with the package's version. Agents copy its folder; the `hook.cjs` in it
 * finds the hook of the installed package, which is shipped once.
 */
export function assemblePlugin(name: string, root: string, folder: string, version: string): void {
  const { source, manifest } = PLUGINS[name]!;
  cpSync(join(root, source), folder, { recursive: true });
  cpSync(join(root, 'plugins/claude-code/hook.cjs'), join(folder, 'hook.cjs'));
  const path = join(folder, manifest);
  const { name: plugin, ...rest } = JSON.parse(readFileSync(path, 'utf8')) as { name: string };
  writeFileSync(path, `${JSON.stringify({ name: plugin, ...rest, version }, null, 2)}\n`);
}
