import { hosts } from '@unrut/agents/hosts';
import type { Host } from '@unrut/agents/hosts/define-host';
import type { Importer } from '@unrut/reading/importer';
import { agentlab } from './agentlab.ts';
import { aider } from './aider.ts';
import { browserUse } from './browser-use.ts';
import { anthropicMessages, openaiMessages } from './chat/chat-messages.ts';
import { textCalls } from './chat/text-calls.ts';
import { hookPayloads } from './hooks/hook-payloads.ts';
import { inspectAi } from './inspect-ai.ts';
import { acpMessages } from './messages/acp.ts';
import { aiSdkMessages, aiSdkUi } from './messages/ai-sdk.ts';
import { atif } from './messages/atif.ts';
import { autogen } from './messages/autogen.ts';
import { bedrockConverse } from './messages/bedrock.ts';
import { geminiContents, googleAdk } from './messages/gemini.ts';
import { langchainMessages } from './messages/langchain.ts';
import { letta } from './messages/letta.ts';
import { managedAgents } from './messages/managed-agents.ts';
import { pydanticAi } from './messages/pydantic-ai.ts';
import { smolagents } from './messages/smolagents.ts';
import { tau2 } from './messages/tau2.ts';
import { trae } from './messages/trae.ts';
import { vscodeChat } from './messages/vscode-chat.ts';
import { neutralSteps } from './neutral-steps.ts';
import { openhands } from './openhands/openhands.ts';
import { miniSweAgent } from './swe-agent/mini-swe-agent.ts';
import { sweAgent } from './swe-agent/swe-agent.ts';
import { langfuse } from './traces/langfuse.ts';
import { langsmith } from './traces/langsmith.ts';
import { otlp } from './traces/otlp.ts';
import { braintrust, mlflow, otelSpans, weave } from './traces/spans.ts';
import { unrutEvents } from './unrut-events.ts';

/**
 * All formats that `unrut scan` reads. The first that recognises a file reads it; the least
 * specific ones come last.
 */
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
  aider,
  inspectAi,
  atif,
  aiSdkMessages,
  aiSdkUi,
  langchainMessages,
  pydanticAi,
  googleAdk,
  geminiContents,
  bedrockConverse,
  smolagents,
  autogen,
  letta,
  vscodeChat,
  managedAgents,
  acpMessages,
  tau2,
  trae,
  otlp,
  langsmith,
  langfuse,
  otelSpans,
  mlflow,
  braintrust,
  weave,
  anthropicMessages,
  textCalls,
  openaiMessages,
];
