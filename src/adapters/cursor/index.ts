import { defineHookAdapter, type HookAdapter } from '../hook-adapter.ts';
import { readCursor } from './read.ts';
import { cursorMeans } from './write.ts';

/** Cursor. */
export const cursor: HookAdapter = defineHookAdapter({
  name: 'cursor',
  can: ['note', 'hint', 'block'],
  read: readCursor,
  means: cursorMeans,
});
