import { codexTools as tools } from '@unrut/engine/tools/families';
import { joinOn } from '../../settings-files/places.ts';
import { AT_REST, claudeLikeAnswer, claudeLikePerson } from '../claude-code/answer.ts';
import { defineHost } from '../define-host.ts';
import { codexPermission } from '../permission-line.ts';
import { codexCommand } from './command.ts';
import { codexExec } from './exec-stream.ts';
import { codexInstall } from './install.ts';
import { codexPayload, isInTurn } from './payload.ts';
import { codexTranscript } from './transcript.ts';

/** Codex. Its hooks can end a run only at the end of a turn. */
export const codex = defineHost({
  name: 'codex',
  label: 'Codex',
  tools,
  programs: ['codex'],
  runs: (at) =>
    ['sessions', 'archived_sessions'].map((name) => joinOn(at)(codexInstall.folder(at), name)),
  transcripts: [codexTranscript, codexExec],
  hooks: {
    can: ['note', 'hint', 'block', 'escalate'],
    callsHaveIds: true,
    shell: 'exec_command',
    signs: { mark: isInTurn, folder: '.codex' },
    person: claudeLikePerson,
    permission: codexPermission,
    reports: ['turns'],
    payload: codexPayload,
    alone: ['exec', 'e'],
    // Blocking after a call would discard its result. Codex drops answers with unknown keys. At the
    // end of a turn, the run can be stopped.
    answer: claudeLikeAnswer({
      PreToolUse: ['block'],
      PostToolUse: ['note', 'hint', 'escalate'],
      Stop: AT_REST,
      SubagentStop: AT_REST,
    }),
  },
  install: codexInstall,
  command: codexCommand,
});
