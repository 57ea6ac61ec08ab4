import { amp } from './amp/host.ts';
import { claudeCode } from './claude-code/host.ts';
import { cline } from './cline/host.ts';
import { codex } from './codex/host.ts';
import type { HostCommand } from './command.ts';
import { continueDev } from './continue/host.ts';
import { copilot } from './copilot/host.ts';
import { crush } from './crush/host.ts';
import { cursor } from './cursor/host.ts';
import type { Host, HostHooks, HostInstall } from './define-host.ts';
import { factory } from './factory/host.ts';
import { geminiCli } from './gemini-cli/host.ts';
import { goose } from './goose/host.ts';
import { hermes } from './hermes/host.ts';
import { kiloCode } from './kilo-code/host.ts';
import { kimi } from './kimi/host.ts';
import { kiro } from './kiro/host.ts';
import { openclaw } from './openclaw/host.ts';
import { opencode } from './opencode/host.ts';
import { pi } from './pi/host.ts';
import { qwenCode } from './qwen-code/host.ts';
import { rooCode } from './roo-code/host.ts';
import { zed } from './zed/host.ts';

/** All supported hosts, those with the most users first. */
export const hosts = [
  claudeCode,
  codex,
  geminiCli,
  opencode,
  cursor,
  copilot,
  qwenCode,
  kimi,
  crush,
  cline,
  goose,
  openclaw,
  hermes,
  pi,
  kiro,
  rooCode,
  kiloCode,
  continueDev,
  amp,
  factory,
  zed,
] as const;

export type HostName = (typeof hosts)[number]['name'];

/** A host that calls hooks. */
export type HookHost = Host & { hooks: HostHooks };
/** A host that `unrut install` can connect. */
export type InstallableHost = Host & { install: HostInstall };
/** A host that `unrut run` can start. */
export type RunnableHost = Host & { command: HostCommand; programs: readonly string[] };

const all: readonly Host[] = hosts;
export const hookHosts = all.filter((host): host is HookHost => host.hooks !== undefined);
export const installableHosts = all.filter(
  (host): host is InstallableHost => host.install !== undefined,
);
export const runnableHosts = all.filter((host): host is RunnableHost => host.command !== undefined);
