import { defineHookAdapter, type HookAdapter } from '../hook-adapter.ts';
import { kimiHooks } from './read.ts';
import { kimiMeans } from './write.ts';

/** Kimi. Notes and hints reach nobody there and are reported so; they are climbed all the same, so that a refusal comes no sooner than elsewhere. */
export const kimi: HookAdapter = defineHookAdapter({
  name: 'kimi',
  can: ['note', 'hint', 'block'],
  read: kimiHooks,
  means: kimiMeans,
});
