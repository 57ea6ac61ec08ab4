import { defineHookAdapter, type HookAdapter } from '../hook-adapter.ts';
import { crushHooks } from './read.ts';
import { crushMeans } from './write.ts';

/** Crush. */
export const crush: HookAdapter = defineHookAdapter({
  name: 'crush',
  can: ['note', 'hint', 'block', 'stop'],
  read: crushHooks,
  means: crushMeans,
});
