import { claudeCode } from './claude-code/index.ts';
import { cline } from './cline/index.ts';
import { codex } from './codex/index.ts';
import { copilot } from './copilot/index.ts';
import { crush } from './crush/index.ts';
import { cursor } from './cursor/index.ts';
import type { HookHostName } from './dialect-of.ts';
import { geminiCli } from './gemini-cli/index.ts';
import type { HookAdapter } from './hook-adapter.ts';
import { kimi } from './kimi/index.ts';
import { opencode } from './opencode/index.ts';
import { qwenCode } from './qwen-code/index.ts';

export { dialectOf, type HookHostName } from './dialect-of.ts';
export type { HookAdapter, HookAnswer, HookMemory, HookMoment } from './hook-adapter.ts';

/** The adapters of all hosts that call hooks, by the name that `dialectOf` gives. */
export const hookAdapters: Readonly<Record<HookHostName, HookAdapter>> = {
  'claude-code': claudeCode,
  cline,
  codex,
  copilot,
  crush,
  cursor,
  'gemini-cli': geminiCli,
  kimi,
  opencode,
  'qwen-code': qwenCode,
};
