import { openaiChat } from '../model/openai-chat.ts';
import type { Agent } from './agent.ts';

/** On npm there is a package for each platform. */
const program = `goose-binary-${process.platform}-${process.arch}`;

export const goose: Agent = {
  name: 'goose',
  package: `@aaif/${program}`,
  version: '1.52.0',
  command: program,
  api: openaiChat,
  settings: () => ({}),
  environment: ({ url }) => ({
    GOOSE_PROVIDER: 'openai',
    GOOSE_MODEL: 'scripted',
    OPENAI_API_KEY: 'none',
    OPENAI_HOST: url,
    GOOSE_DISABLE_KEYRING: '1',
    GOOSE_TELEMETRY_ENABLED: 'false',
    GOOSE_MODE: 'auto',
  }),
  args: (task) => ['run', '--no-session', '-t', task],
  resumes: (task) => ['run', '--resume', '-t', task],
  tools: {
    shell: (command) => ({ name: 'shell', args: { command } }),
    // It reads files by its shell.
    read: (path) => ({ name: 'shell', args: { command: `cat '${path}'` } }),
    edit: (path, before, after) => ({ name: 'edit', args: { path, before, after } }),
    delegate: () => [],
  },
};
