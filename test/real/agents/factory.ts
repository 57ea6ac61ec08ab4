import { openaiChat } from '../model/openai-chat.ts';
import type { Agent } from './agent.ts';

export const factory: Agent = {
  name: 'factory',
  package: 'droid',
  version: '0.215.0',
  command: 'droid',
  api: openaiChat,
  settings: ({ url }) => ({
    '.factory/settings.json': JSON.stringify({
      customModels: [
        {
          model: 'scripted',
          displayName: 'Scripted',
          baseUrl: `${url}/v1`,
          apiKey: 'none',
          provider: 'generic-chat-completion-api',
          maxOutputTokens: 4000,
        },
      ],
    }),
  }),
  environment: () => ({ FACTORY_API_KEY: 'fk-none' }),
  args: (task) => ['exec', '--auto', 'high', '-m', 'custom:scripted', task],
  resumes: (task) => ['exec', '--auto', 'high', '-m', 'custom:scripted', task],
  tools: {
    shell: (command) => ({
      name: 'Execute',
      args: { command, riskLevel: 'low', riskLevelReason: 'As planned' },
    }),
    read: (file_path) => ({ name: 'Read', args: { file_path } }),
    edit: (file_path, old_str, new_str) => ({
      name: 'Edit',
      args: { file_path, old_str, new_str },
    }),
    delegate: () => [],
  },
};
