import { isObject } from '@unrut/engine/json';
import { copilotTools as tools } from '@unrut/engine/tools/families';
import { joinOn } from '../../settings-files/places.ts';
import { defineHost } from '../define-host.ts';
import { copilotAnswer } from './answer.ts';
import { copilotInstall } from './install.ts';
import { copilotPayload, isSmall } from './payload.ts';
import { copilotTranscript } from './transcript.ts';

/** GitHub Copilot: command line, cloud and VS Code. */
export const copilot = defineHost({
  name: 'copilot',
  label: 'GitHub Copilot CLI',
  tools,
  programs: ['copilot'],
  runs: (at) => [joinOn(at)(copilotInstall.folder(at), 'session-state', '*', 'events.jsonl')],
  transcripts: [copilotTranscript],
  hooks: {
    can: ['note', 'hint', 'block'],
    callsHaveIds: true,
    shell: 'bash',
    reports: ['subagents'],
    signs: {
      form: isSmall,
      folder: '.copilot',
      trait: ({ tool_result: result }) => isObject(result) && 'text_result_for_llm' in result,
      guess: ({ transcript_path: transcript, timestamp: at }) =>
        transcript === undefined && at !== undefined,
    },
    payload: copilotPayload,
    answer: copilotAnswer,
  },
  install: copilotInstall,
});
