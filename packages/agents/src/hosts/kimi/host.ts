import { kimiTools as tools } from '@unrut/engine/tools/families';
import { joinOn } from '../../settings-files/places.ts';
import { claudeLikeAnswer } from '../claude-code/answer.ts';
import { isClaudeCall } from '../claude-code/payload.ts';
import { defineHost } from '../define-host.ts';
import { kimiFolders, kimiInstall } from './install.ts';
import { kimiPayload } from './payload.ts';
import { kimiTranscript } from './transcript.ts';

/**
 * Kimi, which uses Claude Code's format. It waits for hooks only before a call: notes and hints
 * reach nobody and are reported as not performed, but stay on the ladder, so that blocks come no
 * sooner than elsewhere.
 */
export const kimi = defineHost({
  name: 'kimi',
  label: 'Kimi',
  tools,
  programs: ['kimi'],
  folders: kimiFolders,
  runs: (at) => kimiFolders(at).map((folder) => joinOn(at)(folder, 'sessions', '**', 'wire.jsonl')),
  transcripts: [kimiTranscript],
  hooks: {
    can: ['note', 'hint', 'block'],
    callsHaveIds: true,
    shell: 'Shell',
    signs: {
      trait: ({ tool_call_id: models, tool_use_id: id }) =>
        models !== undefined && id === undefined,
      guess: (payload) =>
        payload.transcript_path === undefined &&
        payload.timestamp === undefined &&
        !isClaudeCall(payload),
    },
    payload: kimiPayload,
    answer: claudeLikeAnswer({ PreToolUse: ['block'] }),
  },
  install: kimiInstall,
});
