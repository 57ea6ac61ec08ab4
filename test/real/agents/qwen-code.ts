import { openaiChat } from '../model/openai-chat.ts';
import type { Agent } from './agent.ts';

export const qwenCode: Agent = {
  name: 'qwen-code',
  package: '@qwen-code/qwen-code',
  version: '0.24.4',
  command: 'qwen',
  api: openaiChat,
  settings: () => ({
    '.qwen/settings.json': JSON.stringify({
      security: { auth: { selectedType: 'openai' } },
      privacy: { usageStatisticsEnabled: false },
      general: { enableAutoUpdate: false, disableAutoUpdate: true },
      // Else it ends a run by itself after five equal calls, and nothing more can be seen.
      model: { skipLoopDetection: true },
    }),
  }),
  environment: ({ url }) => ({
    OPENAI_API_KEY: 'none',
    OPENAI_BASE_URL: `${url}/v1`,
    OPENAI_MODEL: 'scripted',
  }),
  args: (task) => ['--yolo', '-p', task],
  resumes: (task) => ['--yolo', '--continue', '-p', task],
  tools: {
    shell: (command) => ({
      name: 'run_shell_command',
      args: { command, description: 'As planned', is_background: false },
    }),
    read: (file_path) => ({ name: 'read_file', args: { file_path } }),
    edit: (file_path, old_string, new_string) => ({
      name: 'edit',
      args: { file_path, old_string, new_string },
    }),
    delegate: (prompt) => [
      {
        name: 'agent',
        args: { description: 'Look around', prompt, subagent_type: 'general-purpose' },
      },
    ],
  },
};
