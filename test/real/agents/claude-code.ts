import { anthropicMessages } from '../model/anthropic-messages.ts';
import type { Agent } from './agent.ts';

export const claudeCode: Agent = {
  name: 'claude-code',
  package: '@anthropic-ai/claude-code',
  version: '2.1.325',
  command: 'claude',
  api: anthropicMessages,
  settings: () => ({
    '.claude/settings.json': JSON.stringify(
      { permissions: { allow: ['Bash', 'Read', 'Edit', 'Agent'] } },
      null,
      2,
    ),
    '.claude.json': JSON.stringify({ hasCompletedOnboarding: true }),
  }),
  environment: ({ url }) => ({
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: 'none',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
    DISABLE_TELEMETRY: '1',
  }),
  args: (task) => ['-p', task],
  resumes: (task) => ['-p', '--continue', task],
  tools: {
    shell: (command) => ({ name: 'Bash', args: { command, description: 'As planned' } }),
    read: (file_path) => ({ name: 'Read', args: { file_path } }),
    edit: (file_path, old_string, new_string) => ({
      name: 'Edit',
      args: { file_path, old_string, new_string },
    }),
    delegate: (prompt) => [
      {
        name: 'Agent',
        args: { description: 'Look around', prompt, subagent_type: 'general-purpose' },
      },
    ],
  },
};
