import { openaiChat } from '../model/openai-chat.ts';
import type { Agent } from './agent.ts';

export const copilot: Agent = {
  name: 'copilot',
  package: '@github/copilot',
  version: '1.0.102',
  command: 'copilot',
  api: openaiChat,
  settings: () => ({}),
  environment: ({ url }) => ({
    COPILOT_PROVIDER_BASE_URL: `${url}/v1`,
    COPILOT_PROVIDER_API_KEY: 'none',
    COPILOT_MODEL: 'scripted',
    COPILOT_OFFLINE: 'true',
    COPILOT_AUTO_UPDATE: 'false',
  }),
  args: (task) => ['--allow-all-tools', '-p', task],
  resumes: (task) => ['--allow-all-tools', '--continue', '-p', task],
  tools: {
    shell: (command) => ({
      name: 'bash',
      args: { command, description: 'As planned', mode: 'sync' },
    }),
    read: (path) => ({ name: 'view', args: { path } }),
    edit: (path, old_str, new_str) => ({ name: 'edit', args: { path, old_str, new_str } }),
    delegate: (prompt) => [
      { name: 'task', args: { description: 'Look around', prompt, agent_type: 'general-purpose' } },
    ],
  },
};
