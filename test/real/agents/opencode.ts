import { openaiChat } from '../model/openai-chat.ts';
import type { Agent } from './agent.ts';

const version = '1.18.33';
/**
 * What OpenCode installs for authors of plugins whenever it finds it missing, which takes long and
 * helps nobody here.
 */
const dependencies = { '@opencode-ai/plugin': version };

export const opencode: Agent = {
  name: 'opencode',
  package: 'opencode-ai',
  version,
  command: 'opencode',
  api: openaiChat,
  settings: ({ url }) => ({
    '.config/opencode/package.json': JSON.stringify({ dependencies }),
    '.config/opencode/package-lock.json': JSON.stringify({
      lockfileVersion: 3,
      packages: { '': { dependencies } },
    }),
    '.config/opencode/node_modules/@opencode-ai/plugin/package.json': JSON.stringify({
      name: '@opencode-ai/plugin',
      version,
    }),
    '.config/opencode/opencode.json': JSON.stringify(
      {
        autoupdate: false,
        share: 'disabled',
        model: 'scripted/scripted',
        small_model: 'scripted/scripted',
        provider: {
          scripted: {
            npm: '@ai-sdk/openai-compatible',
            options: { baseURL: `${url}/v1`, apiKey: 'none' },
            models: { scripted: { limit: { context: 100_000, output: 4000 } } },
          },
        },
      },
      null,
      2,
    ),
  }),
  environment: () => ({
    OPENCODE_DISABLE_AUTOUPDATE: '1',
    OPENCODE_DISABLE_MODELS_FETCH: '1',
    OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
  }),
  args: (task) => ['run', task],
  resumes: (task) => ['run', '--continue', task],
  tools: {
    shell: (command) => ({ name: 'bash', args: { command, description: 'As planned' } }),
    read: (filePath) => ({ name: 'read', args: { filePath } }),
    edit: (filePath, oldString, newString) => ({
      name: 'edit',
      args: { filePath, oldString, newString },
    }),
    delegate: (prompt) => [
      { name: 'task', args: { description: 'Look around', prompt, subagent_type: 'general' } },
    ],
  },
};
