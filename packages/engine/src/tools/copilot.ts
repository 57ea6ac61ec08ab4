import { type Family, searchesFiles, talks, writesFile } from './profile.ts';

/** The tools of GitHub Copilot whose names no other host uses. */
export const copilotTools: Family = {
  create: writesFile,
  rg: searchesFiles,
  read_bash: {
    verb: 'read',
    target: ['sessionId', 'shellId'],
    kind: 'task',
    poll: true,
    freeText: ['delay'],
  },
  stop_bash: { verb: 'write', target: ['sessionId', 'shellId'], kind: 'task' },
  report_intent: talks,
};
