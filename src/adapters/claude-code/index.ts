import { defineHookAdapter, type HookAdapter } from '../hook-adapter.ts';
import { claudeHooks } from './read.ts';
import { claudeCodeMeans } from './write.ts';

/** Claude Code. */
export const claudeCode: HookAdapter = defineHookAdapter({
  name: 'claude-code',
  can: ['note', 'hint', 'block', 'escalate', 'stop'],
  read: claudeHooks,
  means: claudeCodeMeans,
});
