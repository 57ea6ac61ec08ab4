import { defineHookAdapter, type HookAdapter } from '../hook-adapter.ts';
import { readCodex } from './read.ts';
import { codexMeans } from './write.ts';

/** Codex, whose hooks cannot end a run. */
export const codex: HookAdapter = defineHookAdapter({
  name: 'codex',
  can: ['note', 'hint', 'block', 'escalate'],
  read: readCodex,
  means: codexMeans,
});
