import { joinOn } from '../../settings-files/places.ts';
import { geminiCliTools as tools } from '../../tools/gemini-cli.ts';
import { defineHost } from '../define-host.ts';
import { geminiCliAnswer } from './answer.ts';
import { geminiCliCommand } from './command.ts';
import { geminiCliInstall } from './install.ts';
import { geminiCliPayload, isOfGeminiCli } from './payload.ts';
import { geminiCliTranscript } from './transcript.ts';

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
    signs: { form: isOfGeminiCli, folder: '.gemini', variable: 'GEMINI_PROJECT_DIR' },
    payload: geminiCliPayload,
    answer: geminiCliAnswer,
    alone: ['-p', '--prompt'],
    person: { starts: () => false, say: (_, reason) => ({ decision: 'deny', reason, systemMessage: reason }) },
  },
  install: geminiCliInstall,
  command: geminiCliCommand,
});
