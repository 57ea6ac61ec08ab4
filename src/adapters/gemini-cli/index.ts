import { defineHookAdapter, type HookAdapter } from '../hook-adapter.ts';
import { readGemini } from './read.ts';
import { geminiCliMeans } from './write.ts';

/** Gemini CLI. */
export const geminiCli: HookAdapter = defineHookAdapter({
  name: 'gemini-cli',
  can: ['note', 'hint', 'block', 'escalate', 'stop'],
  read: readGemini,
  means: geminiCliMeans,
});
