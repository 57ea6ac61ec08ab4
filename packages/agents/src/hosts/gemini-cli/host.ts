import type { JsonObject } from '@unrut/engine/json';
import { geminiCliTools as tools } from '@unrut/engine/tools/families';
import { AFTER_CALL } from '@unrut/reading/hook-answer';
import { joinOn } from '../../settings-files/places.ts';
import { AT_REST, addContext, stopAnswer } from '../claude-code/answer.ts';
import { defineHost } from '../define-host.ts';
import { geminiCliPermission } from '../permission-line.ts';
import { geminiCliCommand } from './command.ts';
import { geminiCliInstall } from './install.ts';
import { geminiCliPayload, isOfGeminiCli } from './payload.ts';
import { geminiCliTranscript } from './transcript.ts';

const denial = (reason: string, systemMessage: string): JsonObject => ({
  decision: 'deny',
  reason,
  systemMessage,
});

export const geminiCli = defineHost({
  name: 'gemini-cli',
  label: 'Gemini CLI',
  tools,
  programs: ['gemini'],
  runs: (at) => [joinOn(at)(geminiCliInstall.folder(at), 'tmp', '*', 'chats')],
  transcripts: [geminiCliTranscript],
  hooks: {
    can: ['note', 'hint', 'block', 'escalate', 'stop'],
    callsHaveIds: true,
    shell: 'run_shell_command',
    signs: { form: isOfGeminiCli, folder: '.gemini', variable: 'GEMINI_PROJECT_DIR' },
    reports: ['turns'],
    payload: geminiCliPayload,
    permission: geminiCliPermission,
    // Denying after the call would discard its result; added text becomes part of the result.
    answer({ hook_event_name: event }) {
      if (event === 'BeforeTool')
        return { does: ['block'], say: (_, { toModel, toHuman }) => denial(toModel, toHuman) };
      if (event === 'AfterAgent')
        return {
          does: AT_REST,
          say: (rung, words) =>
            rung === 'stop' ? stopAnswer(words) : { systemMessage: words.toHuman },
        };
      if (event !== 'AfterTool') return undefined;
      return {
        does: AFTER_CALL,
        say: (rung, words) => (rung === 'stop' ? stopAnswer(words) : addContext(event, words)),
      };
    },
    alone: ['-p', '--prompt'],
    person: { starts: () => false, say: (_, reason) => denial(reason, reason) },
  },
  install: geminiCliInstall,
  command: geminiCliCommand,
});
