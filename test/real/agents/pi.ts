import { openaiChat } from '../model/openai-chat.ts';
import type { Agent } from './agent.ts';

export const pi: Agent = {
  name: 'pi',
  package: '@earendil-works/pi-coding-agent',
  version: '0.87.1',
  command: 'pi',
  api: openaiChat,
  settings: ({ url }) => ({
    '.pi/agent/models.json': JSON.stringify({
      providers: {
        scripted: {
          baseUrl: `${url}/v1`,
          api: 'openai-completions',
          apiKey: 'none',
          models: [{ id: 'scripted' }],
        },
      },
    }),
  }),
  environment: () => ({ PI_OFFLINE: '1' }),
  args: (task) => ['--provider', 'scripted', '--model', 'scripted', '-p', task],
  resumes: (task) => ['--provider', 'scripted', '--model', 'scripted', '--continue', '-p', task],
  tools: {
    shell: (command) => ({ name: 'bash', args: { command } }),
    read: (path) => ({ name: 'read', args: { path } }),
    edit: (path, oldText, newText) => ({
      name: 'edit',
      args: { path, edits: [{ oldText, newText }] },
    }),
    // It has no nested agents.
    delegate: () => [],
  },
};
