import { agentlab } from './agentlab.ts';
import { browserUse } from './browser-use.ts';
import { anthropicMessages } from './chat/anthropic-messages.ts';
import { openaiMessages } from './chat/openai-messages.ts';
import { claudeCode } from './claude-code/claude-code.ts';
import { claudeStream } from './claude-code/claude-stream.ts';
import { codex } from './codex/codex.ts';
import { codexExec } from './codex/codex-exec.ts';
import { copilot } from './copilot/copilot.ts';
import { cursor } from './cursor/cursor.ts';
import { cursorStream } from './cursor/cursor-stream.ts';
import { geminiCli } from './gemini-cli/gemini-cli.ts';
import { qwenCode } from './gemini-cli/qwen-code.ts';
import { goose } from './goose/goose.ts';
import { hookPayloads } from './hooks/hook-payloads.ts';
import type { Importer } from './importer.ts';
import { inspectAi } from './inspect-ai.ts';
import { neutralSteps } from './neutral-steps.ts';
import { opencode } from './opencode/opencode.ts';
import { opencodeStream } from './opencode/opencode-stream.ts';
import { openhands } from './openhands/openhands.ts';
import { pi } from './pi.ts';
import { miniSweAgent } from './swe-agent/mini-swe-agent.ts';
import { sweAgent } from './swe-agent/swe-agent.ts';
import { langfuse } from './traces/langfuse.ts';
import { langsmith } from './traces/langsmith.ts';
import { otlp } from './traces/otlp.ts';
import { unrutEvents } from './unrut-events.ts';

/** Every format that `unrut scan` reads. The first that recognises a file reads it: the loosest come last. */
export const importers: readonly Importer[] = [
  unrutEvents,
  neutralSteps,
  claudeCode,
  claudeStream,
  codex,
  codexExec,
  geminiCli,
  qwenCode,
  opencode,
  opencodeStream,
  copilot,
  cursor,
  cursorStream,
  pi,
  goose,
  hookPayloads,
  openhands,
  sweAgent,
  miniSweAgent,
  browserUse,
  agentlab,
  inspectAi,
  otlp,
  langsmith,
  langfuse,
  anthropicMessages,
  openaiMessages,
];
