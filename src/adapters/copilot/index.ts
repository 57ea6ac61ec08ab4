import { defineHookAdapter, type HookAdapter } from '../hook-adapter.ts';
import { readCopilot } from './read.ts';
import { copilotMeans } from './write.ts';

/** GitHub Copilot, on the command line, in the cloud and in VS Code. */
export const copilot: HookAdapter = defineHookAdapter({
  name: 'copilot',
  can: ['note', 'hint', 'block'],
  read: readCopilot,
  means: copilotMeans,
});
