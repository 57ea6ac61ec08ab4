import { defineHookAdapter, type HookAdapter } from '../hook-adapter.ts';
import { opencodeHooks } from './read.ts';
import { opencodeMeans } from './write.ts';

/** OpenCode, by way of `plugin.ts`. */
export const opencode: HookAdapter = defineHookAdapter({
  name: 'opencode',
  can: ['note', 'hint', 'block', 'escalate', 'stop'],
  read: opencodeHooks,
  means: opencodeMeans,
});
