import { defineHookAdapter, type HookAdapter } from '../hook-adapter.ts';
import { clineHooks } from './read.ts';
import { clineMeans } from './write.ts';

/** Cline. */
export const cline: HookAdapter = defineHookAdapter({
  name: 'cline',
  can: ['note', 'hint', 'stop'],
  read: clineHooks,
  means: clineMeans,
});
