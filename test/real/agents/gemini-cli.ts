import { geminiContent } from '../model/gemini-content.ts';
import type { Agent } from './agent.ts';

export const geminiCli: Agent = {
  name: 'gemini-cli',
  package: '@google/gemini-cli',
  version: '0.61.0',
  command: 'gemini',
  api: geminiContent,
  settings: () => ({
    '.gemini/settings.json': JSON.stringify(
      {
        security: { auth: { selectedType: 'gemini-api-key' } },
        telemetry: { enabled: false },
        privacy: { usageStatisticsEnabled: false },
        general: { enableAutoUpdate: false },
        // Else it ends a run by itself after five equal calls, and nothing more can be seen.
        model: { disableLoopDetection: true },
      },
      null,
      2,
    ),
  }),
  environment: ({ url }) => ({
    GEMINI_API_KEY: 'none',
    GOOGLE_GEMINI_BASE_URL: url,
    GEMINI_CLI_TRUST_WORKSPACE: 'true',
  }),
  args: (task) => ['--yolo', '-m', 'gemini-2.5-flash', '-p', task],
  resumes: (task) => ['--yolo', '-m', 'gemini-2.5-flash', '--resume', 'latest', '-p', task],
  tools: {
    shell: (command) => ({
      name: 'run_shell_command',
      args: { command, description: 'As planned' },
    }),
    read: (file_path) => ({ name: 'read_file', args: { file_path } }),
    edit: (file_path, old_string, new_string) => ({
      name: 'replace',
      args: { file_path, old_string, new_string, instruction: 'As planned' },
    }),
    delegate: (objective) => [
      { name: 'invoke_agent', args: { agent_name: 'generalist', prompt: objective } },
    ],
  },
};
