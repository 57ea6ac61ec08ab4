import { claudeCodeTools as tools } from '@unrut/engine/tools/families';
import { configFolder, joinOn, placeVariable } from '../../settings-files/places.ts';
import { defineHost } from '../define-host.ts';
import { claudeCodePermission } from '../permission-line.ts';
import { claudeCodeAnswer } from './answer.ts';
import { claudeCodeCommand } from './command.ts';
import { claudeCodeInstall } from './install.ts';
import { claudePayload, isClaudeCall } from './payload.ts';
import { claudeCodePerson } from './person.ts';
import { claudeStream } from './stream.ts';
import { claudeCodeTranscript } from './transcript.ts';

export const claudeCode = defineHost({
  name: 'claude-code',
  label: 'Claude Code',
  tools,
  programs: ['claude'],
  runs(at) {
    const isMoved = placeVariable(at, 'CLAUDE_CONFIG_DIR') !== undefined;
    const folders = [
      claudeCodeInstall.folder(at),
      ...(isMoved ? [] : [joinOn(at)(configFolder(at), 'claude')]),
    ];
    return folders.map((folder) => joinOn(at)(folder, 'projects'));
  },
  transcripts: [claudeCodeTranscript, claudeStream],
  hooks: {
    can: ['note', 'hint', 'block', 'escalate', 'stop'],
    callsHaveIds: true,
    shell: 'Bash',
    reports: ['subagents', 'turns'],
    // Claude Code always includes the transcript. A payload without it comes from a person or from
    // a compatible program.
    signs: {
      folder: '.claude',
      guess: (payload) => payload.transcript_path !== undefined || isClaudeCall(payload),
    },
    payload: claudePayload,
    answer: claudeCodeAnswer,
    person: claudeCodePerson,
    permission: claudeCodePermission,
    variables: ['CLAUDE_CODE_ENTRYPOINT'],
    showsAtEnd: {
      exitCode: 2,
      before: 'nothing. Claude Code shows the last words of a hook in this way:',
    },
    stopsNestedAlone: true,
  },
  install: claudeCodeInstall,
  command: claudeCodeCommand,
});
