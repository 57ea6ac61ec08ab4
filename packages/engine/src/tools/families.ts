// The tools that hosts have built in, for the declarations of those hosts.

export { claudeCodeTools } from './claude-code.ts';
export { clineTools } from './cline.ts';
export { codexTools } from './codex.ts';
export { copilotTools } from './copilot.ts';
export { geminiCliTools } from './gemini-cli.ts';
export { kimiTools } from './kimi.ts';
export { openCodeTools } from './opencode.ts';
