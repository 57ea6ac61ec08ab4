import { agentE } from './agent-e.ts';
import { agentLoopGuard } from './agent-loop-guard.ts';
import { browserUse } from './browser-use.ts';
import { cline } from './cline.ts';
import { crush } from './crush.ts';
import { deerFlow } from './deer-flow.ts';
import { forgecode } from './forgecode.ts';
import { futureAgi } from './future-agi.ts';
import { geminiCliText } from './gemini-cli-text.ts';
import { geminiCliTools } from './gemini-cli-tools.ts';
import { goose } from './goose.ts';
import { hermes } from './hermes.ts';
import { kimi } from './kimi.ts';
import { ohMyPiThinking } from './oh-my-pi-thinking.ts';
import { ohMyPiTools } from './oh-my-pi-tools.ts';
import { openClaw } from './openclaw.ts';
import { opencode } from './opencode.ts';
import { openHandsSdk } from './openhands-sdk.ts';
import { openHandsV0 } from './openhands-v0.ts';
import { openRouter } from './openrouter.ts';
import type { Peer } from './peer.ts';
import { plainCap } from './plain-cap.ts';
import { qwenCode } from './qwen-code.ts';
import { qwenCodeHeuristics } from './qwen-code-heuristics.ts';
import { ralphV1 } from './ralph-v1.ts';
import { reflexion } from './reflexion.ts';
import { rooCode } from './roo-code.ts';
import { webArena } from './webarena.ts';
import { zeroClaw } from './zeroclaw.ts';

/** Every baseline. */
export const peers: readonly Peer[] = [
  geminiCliTools,
  geminiCliText,
  qwenCode,
  qwenCodeHeuristics,
  opencode,
  goose,
  browserUse,
  openHandsV0,
  openHandsSdk({ thoughts: true }),
  openHandsSdk({ thoughts: false }),
  rooCode,
  cline,
  crush,
  openClaw({ unbrokenRun: false }),
  openClaw({ unbrokenRun: true }),
  hermes({ attended: true }),
  hermes({ attended: false }),
  zeroClaw,
  kimi,
  deerFlow,
  forgecode,
  openRouter,
  ohMyPiTools,
  ohMyPiThinking,
  futureAgi,
  agentLoopGuard,
  webArena,
  agentE,
  reflexion,
  ralphV1,
  plainCap('smolagents', 20),
  plainCap('LangGraph.js', 25),
  plainCap('Letta', 50),
];
