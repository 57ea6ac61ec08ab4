import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type InstallableHost, installableHosts } from '@unrut/agents/hosts';
import type { HookReach, Order, Scope } from '@unrut/agents/settings-files/order';
import { onTestFinished } from 'vitest';

const folderOf = (name: string): URL =>
  new URL(`../../packages/agents/src/hosts/${name}/fixtures/`, import.meta.url);
const settingsOf = (name: string): string | undefined =>
  readdirSync(folderOf(name)).find((file) => file.startsWith('settings.'));

/** The hosts whose folders have a settings file as people have it, with hooks of others. */
export const NAMES = installableHosts
  .map(({ name }) => name)
  .filter((name) => settingsOf(name) !== undefined);

/** As on a machine whose paths contain spaces. */
const CALL: HookReach = {
  node: '/usr/local/bin/node',
  hook: "/home/dev/it's mine/unrut/dist/hook.cjs",
  plugin: '/home/dev/unrut/dist/agent-plugins.js',
  shadow: false,
};

export const agentNamed = (name: string): InstallableHost =>
  installableHosts.find((agent) => agent.name === name)!;

/** A separate home and project, with an order for them. */
export function orderIn(scope: Scope = 'user', call: Partial<HookReach> = {}): Order {
  const folder = mkdtempSync(join(tmpdir(), 'unrut-install-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const at = {
    home: join(folder, 'home'),
    project: join(folder, 'project'),
    variables: {},
    platform: 'linux' as const,
  };
  for (const each of [at.home, at.project]) mkdirSync(each);
  return { scope, at, call: { ...CALL, ...call } };
}

/** The path of the agent's settings. */
export const fileOf = (name: string, order: Order): string =>
  agentNamed(name).install.edits(order)[0]!.path;

/** Writes a user's settings file. Returns its path. */
export function withSettings(name: string, order: Order): string {
  const path = fileOf(name, order);
  const text = readFileSync(new URL(settingsOf(name)!, folderOf(name)), 'utf8');
  mkdirSync(dirname(path), { recursive: true });
  // Gemini CLI's fixture was written on Windows, with a byte order mark and no final newline.
  writeFileSync(
    path,
    name === 'gemini-cli' ? `\uFEFF${text.trimEnd().replaceAll('\n', '\r\n')}` : text,
  );
  return path;
}
