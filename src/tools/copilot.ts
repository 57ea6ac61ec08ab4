import { type Family, searchesFiles, talks, writesFile } from './profile.ts';

/** GitHub Copilot, where its tools are named as no other's. */
export const copilotTools: Family = {
  create: writesFile,
  rg: searchesFiles,
  read_bash: { verb: 'read', target: ['sessionId', 'shellId'], kind: 'task', poll: true, freeText: ['delay'] },
  stop_bash: { verb: 'write', target: ['sessionId', 'shellId'], kind: 'task' },
  report_intent: talks,
};
