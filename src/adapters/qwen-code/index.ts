import { defineHookAdapter, type HookAdapter } from '../hook-adapter.ts';
import { qwenHooks } from './read.ts';
import { qwenCodeMeans } from './write.ts';

/** Qwen Code, whose hooks cannot end a run. */
export const qwenCode: HookAdapter = defineHookAdapter({
  name: 'qwen-code',
  can: ['note', 'hint', 'block'],
  read: qwenHooks,
  means: qwenCodeMeans,
});
