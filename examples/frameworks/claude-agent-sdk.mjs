// An agent of the Claude Agent SDK under guard. It needs a key: ANTHROPIC_API_KEY=… node examples/frameworks/claude-agent-sdk.mjs
import { query } from '@anthropic-ai/claude-agent-sdk';
import { unrutHooks } from 'unrut/claude-agent-sdk';

const options = {
  allowedTools: ['Bash', 'Read', 'Edit'],
  hooks: unrutHooks({ onPlan: ({ rung, toHuman }) => console.log(`${rung}: ${toHuman}`) }),
  // Only where the SDK was installed without its own Claude Code.
  pathToClaudeCodeExecutable: process.env.CLAUDE_PATH,
};

for await (const message of query({ prompt: 'Run `sh check.sh` until it passes.', options })) {
  if (message.type === 'result') console.log(`The run ended: ${message.terminal_reason}`);
}
