import type { Host } from '../hosts/define-host.ts';
import { hosts } from '../hosts/index.ts';
import type { Importer } from '../hosts/reading/importer.ts';
import { agentlab } from './agentlab.ts';
import { browserUse } from './browser-use.ts';
import { anthropicMessages } from './chat/anthropic-messages.ts';
import { openaiMessages } from './chat/openai-messages.ts';
import { hookPayloads } from './hooks/hook-payloads.ts';
import { inspectAi } from './inspect-ai.ts';
import { neutralSteps } from './neutral-steps.ts';
import { openhands } from './openhands/openhands.ts';
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
  ...hosts.flatMap(({ transcripts = [] }: Host) => transcripts),
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
