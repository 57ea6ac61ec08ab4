import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { HookCall, InstallableAgent, Order, Scope } from '../../src/install/agent.ts';
import { AGENTS } from '../../src/install/agents/index.ts';

/** Files as people have them, with hooks of others, and the agents that they are settings of. */
export const SETTINGS = {
  'claude-code': 'claude-code.json',
  'gemini-cli': 'gemini-cli.json',
  codex: 'codex.json',
  cursor: 'cursor.json',
  crush: 'crush.json',
  'qwen-code': 'qwen-code.json',
  kimi: 'kimi.toml',
} as const;

export const NAMES = Object.keys(SETTINGS) as (keyof typeof SETTINGS)[];

/** As it would be on a machine where paths hold blanks. */
export const CALL: HookCall = {
  node: '/usr/local/bin/node',
  hook: "/home/dev/it's mine/unrut/dist/hook.cjs",
  plugin: '/home/dev/unrut/dist/opencode-plugin.js',
  shadow: false,
};

export const agentNamed = (name: string): InstallableAgent => AGENTS.find((agent) => agent.name === name)!;

/** A home and a project of their own, and what is to be done there. */
export function orderIn(scope: Scope = 'user', call: Partial<HookCall> = {}): Order {
  const folder = mkdtempSync(join(tmpdir(), 'unrut-install-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const at = { home: join(folder, 'home'), project: join(folder, 'project'), variables: {}, platform: 'linux' as const };
  for (const each of [at.home, at.project]) mkdirSync(each);
  return { scope, at, call: { ...CALL, ...call } };
}

/** Where the agent's settings are. */
export const fileOf = (name: string, order: Order): string => agentNamed(name).edits(order)[0]!.path;

/** Puts the settings of somebody in their place. Gives the path. */
export function withSettings(name: keyof typeof SETTINGS, order: Order): string {
  const path = fileOf(name, order);
  const text = readFileSync(new URL(`../fixtures/settings/${SETTINGS[name]}`, import.meta.url), 'utf8');
  mkdirSync(dirname(path), { recursive: true });
  // Those of Gemini CLI were written on Windows, by an editor that marks the byte order and ends no last line.
  writeFileSync(path, name === 'gemini-cli' ? `\uFEFF${text.trimEnd().replaceAll('\n', '\r\n')}` : text);
  return path;
}
