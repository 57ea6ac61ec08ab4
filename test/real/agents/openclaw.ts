import { openaiChat } from '../model/openai-chat.ts';
import type { Agent } from './agent.ts';

const speaks = (task: string): string[] => [
  'agent',
  '--local',
  '--agent',
  'main',
  '--message',
  task,
];

export const openclaw: Agent = {
  name: 'openclaw',
  package: 'openclaw',
  version: '2026.9.6',
  command: 'openclaw',
  api: openaiChat,
  settings: ({ url, project }) => ({
    '.openclaw/openclaw.json': JSON.stringify(
      {
        models: {
          providers: {
            scripted: {
              baseUrl: `${url}/v1`,
              apiKey: 'none',
              api: 'openai-completions',
              models: [
                { id: 'scripted', name: 'scripted', contextWindow: 100_000, maxTokens: 4000 },
              ],
            },
          },
        },
        agents: {
          defaults: {
            model: { primary: 'scripted/scripted' },
            workspace: project,
            skipBootstrap: true,
          },
        },
      },
      null,
      2,
    ),
  }),
  environment: () => ({}),
  args: speaks,
  resumes: speaks,
  tools: {
    shell: (command) => ({ name: 'exec', args: { command } }),
    read: (path) => ({ name: 'read', args: { path } }),
    edit: (path, oldText, newText) => ({
      name: 'edit',
      args: { path, edits: [{ oldText, newText }] },
    }),
    // Its nested agents work in the background, which a run that ends does not wait for.
    delegate: () => [],
  },
};
