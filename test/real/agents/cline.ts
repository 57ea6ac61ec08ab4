import { openaiChat } from '../model/openai-chat.ts';
import type { Agent } from './agent.ts';

export const cline: Agent = {
  name: 'cline',
  package: 'cline',
  version: '3.0.65',
  command: 'cline',
  api: openaiChat,
  settings: ({ url }) => ({
    '.cline/data/settings/providers.json': JSON.stringify({
      version: 1,
      lastUsedProvider: 'openai-compatible',
      providers: {
        'openai-compatible': {
          settings: {
            provider: 'openai-compatible',
            apiKey: 'none',
            model: 'scripted',
            baseUrl: `${url}/v1`,
          },
          updatedAt: '2026-11-17T00:00:00.000Z',
          tokenSource: 'manual',
        },
      },
    }),
  }),
  environment: () => ({ CLINE_NO_AUTO_UPDATE: '1' }),
  args: (task) => [task],
  resumes: (task) => [task],
  tools: {
    shell: (command) => ({ name: 'run_commands', args: { commands: [command] } }),
    read: (path) => ({ name: 'read_files', args: { paths: [path] } }),
    edit: (path, old_text, new_text) => ({ name: 'editor', args: { path, old_text, new_text } }),
    delegate: () => [],
  },
};
