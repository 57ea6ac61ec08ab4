import { openaiResponses } from '../model/openai-responses.ts';
import type { Agent } from './agent.ts';

const FLAGS = [
  '--skip-git-repo-check',
  '--dangerously-bypass-approvals-and-sandbox',
  // Nobody is here to trust them by `/hooks`.
  '--dangerously-bypass-hook-trust',
];

export const codex: Agent = {
  name: 'codex',
  package: '@openai/codex',
  version: '0.166.0',
  command: 'codex',
  api: openaiResponses,
  settings: ({ url }) => ({
    '.codex/config.toml': `model = "gpt-5.5"
model_provider = "scripted"

[model_providers.scripted]
name = "Scripted"
base_url = "${url}/v1"
wire_api = "responses"
env_key = "OPENAI_API_KEY"

[features]
multi_agent_v2 = true
`,
  }),
  environment: () => ({ OPENAI_API_KEY: 'none' }),
  args: (task) => ['exec', ...FLAGS, task],
  resumes: (task) => ['exec', 'resume', '--last', ...FLAGS, task],
  tools: {
    shell: (cmd) => ({ name: 'exec_command', args: { cmd } }),
    read: (path) => ({ name: 'exec_command', args: { cmd: `cat ${path}` } }),
    edit: (path, before, after) => ({
      name: 'apply_patch',
      args: `*** Begin Patch\n*** Update File: ${path}\n@@\n-${before}\n+${after}\n*** End Patch\n`,
    }),
    delegate: (message) => [
      {
        namespace: 'collaboration',
        name: 'spawn_agent',
        args: { message, task_name: 'look', fork_turns: 'none' },
      },
      { namespace: 'collaboration', name: 'wait_agent', args: {} },
    ],
  },
};
