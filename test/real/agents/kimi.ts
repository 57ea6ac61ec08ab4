import { openaiChat } from '../model/openai-chat.ts';
import type { Agent } from './agent.ts';

export const kimi: Agent = {
  name: 'kimi',
  package: '@moonshot-ai/kimi-code',
  version: '2.1.0',
  command: 'kimi',
  api: openaiChat,
  settings: ({ url }) => ({
    '.kimi-code/config.toml': `default_model = "scripted"
telemetry = false

[providers.scripted]
type = "openai"
base_url = "${url}/v1"
api_key = "none"

[models.scripted]
provider = "scripted"
model = "scripted"
max_context_size = 100000
`,
  }),
  environment: () => ({}),
  args: (task) => ['-p', task],
  resumes: (task) => ['--continue', '-p', task],
  tools: {
    shell: (command) => ({ name: 'Bash', args: { command, timeout: 60 } }),
    read: (path) => ({ name: 'Read', args: { path } }),
    edit: (path, old_string, new_string) => ({
      name: 'Edit',
      args: { path, old_string, new_string },
    }),
    delegate: (prompt) => [{ name: 'Agent', args: { description: 'Look around', prompt } }],
  },
};
