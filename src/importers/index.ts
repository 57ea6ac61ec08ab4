import { agentlab } from './agentlab.ts';
import { anthropicMessages } from './anthropic-messages.ts';
import { browserUse } from './browser-use.ts';
import { claudeCode } from './claude-code.ts';
import { claudeStream } from './claude-stream.ts';
import { codex } from './codex.ts';
import { codexExec } from './codex-exec.ts';
import { copilot } from './copilot.ts';
import { cursor } from './cursor.ts';
import { cursorStream } from './cursor-stream.ts';
import { geminiCli } from './gemini-cli.ts';
import { goose } from './goose.ts';
import { hookPayloads } from './hook-payloads.ts';
import type { Importer } from './importer.ts';
import { inspectAi } from './inspect-ai.ts';
import { langfuse } from './langfuse.ts';
import { langsmith } from './langsmith.ts';
import { miniSweAgent } from './mini-swe-agent.ts';
import { neutralSteps } from './neutral-steps.ts';
import { openaiMessages } from './openai-messages.ts';
import { opencode } from './opencode.ts';
import { opencodeStream } from './opencode-stream.ts';
import { openhands } from './openhands.ts';
import { otlp } from './otlp.ts';
import { pi } from './pi.ts';
import { qwenCode } from './qwen-code.ts';
import { sweAgent } from './swe-agent.ts';
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
