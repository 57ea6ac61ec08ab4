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

/** Codex, whose hooks cannot end a run before its turn has ended. */
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
    // A block after a call would take its result away. Answers with keys that Codex does not expect
    // are dropped as a whole. A turn that has ended can be kept from going on.
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
