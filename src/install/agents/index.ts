import type { InstallableAgent } from '../agent.ts';
import { claudeCode } from './claude-code.ts';
import { cline } from './cline.ts';
import { codex } from './codex.ts';
import { copilot } from './copilot.ts';
import { crush } from './crush.ts';
import { cursor } from './cursor.ts';
import { geminiCli } from './gemini-cli.ts';
import { kimi } from './kimi.ts';
import { opencode } from './opencode.ts';
import { qwenCode } from './qwen-code.ts';

/** All agents that can be connected, those with the most users first. */
export const AGENTS: readonly InstallableAgent[] = [
  ...[claudeCode, codex, geminiCli, opencode, cursor, copilot, qwenCode, kimi, crush, cline],
];
