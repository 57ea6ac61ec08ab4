import { AFTER_CALL } from '@unrut/reading/hook-answer';
import { joinOn } from '../../settings-files/places.ts';
import { claudeLikeAnswer } from '../claude-code/answer.ts';
import { defineHost } from '../define-host.ts';
import { factoryInstall } from './install.ts';
import { factoryPayload } from './payload.ts';
import { factoryTranscript } from './transcript.ts';

/** Factory's Droid, whose hooks are nearly Claude Code's. */
export const factory = defineHost({
  name: 'factory',
  label: 'Factory Droid',
  programs: ['droid'],
  runs: (at) => [joinOn(at)(factoryInstall.folder(at), 'sessions', '**', '*.jsonl')],
  transcripts: [factoryTranscript],
  hooks: {
    can: ['note', 'hint', 'block', 'escalate', 'stop'],
    callsHaveIds: false,
    shell: 'Execute',
    signs: { folder: '.factory' },
    payload: factoryPayload,
    answer: claudeLikeAnswer({ PreToolUse: ['block'], PostToolUse: AFTER_CALL }),
  },
  install: factoryInstall,
});
