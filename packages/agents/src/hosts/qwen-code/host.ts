import { geminiCliTools as tools } from '@unrut/engine/tools/families';
import { joinOn, placeVariable } from '../../settings-files/places.ts';
import { claudeLikeAnswer, claudeLikePerson } from '../claude-code/answer.ts';
import { defineHost } from '../define-host.ts';
import { qwenCodeInstall } from './install.ts';
import { qwenCodePayload } from './payload.ts';
import { qwenCodeTranscript } from './transcript.ts';

/** Qwen Code, derived from Gemini CLI. Its hooks cannot end a run. */
export const qwenCode = defineHost({
  name: 'qwen-code',
  label: 'Qwen Code',
  tools,
  programs: ['qwen'],
  runs: (at) => [
    joinOn(at)(
      placeVariable(at, 'QWEN_RUNTIME_DIR') ?? qwenCodeInstall.folder(at),
      'projects',
      '*',
      'chats',
    ),
  ],
  transcripts: [qwenCodeTranscript],
  hooks: {
    can: ['note', 'hint', 'block'],
    callsHaveIds: true,
    shell: 'run_shell_command',
    // It sets the variables of Gemini CLI too.
    signs: { folder: '.qwen', variable: 'QWEN_PROJECT_DIR', precedence: 1 },
    person: claudeLikePerson,
    reports: ['turns'],
    payload: qwenCodePayload,
    // `continue: false` only discards the result, and texts for the user go to a log.
    answer: claudeLikeAnswer({
      PreToolUse: ['block'],
      PostToolUse: ['note', 'hint'],
      PostToolUseFailure: ['note', 'hint'],
      PostToolBatch: ['note', 'hint'],
    }),
  },
  install: qwenCodeInstall,
});
