import { createAcpExchange } from '@unrut/adapters/acp/acp-exchange';
import { openAcpGuard } from '@unrut/adapters/acp/open-acp-guard';
import { serverName } from '@unrut/adapters/mcp/server-name';
import { relayCommand } from '@unrut/adapters/mcp/stdio-proxy';
import { loadSettings } from '@unrut/ledger/config/load-settings';
import { flagOption, optionLines, textOption } from './arguments.ts';
import { defineCommand } from './command.ts';
import { complain, EXIT, usageError } from './exit.ts';

const OPTIONS = {
  name: textOption('NAME', 'name of the agent in the ledger'),
  shadow: flagOption('record only; never act'),
} as const;

const HELP = `unrut acp [options] [--] <agent command…>

Stand between an editor (Zed, JetBrains, Neovim, …) and an agent that speaks the Agent Client Protocol. Put this command in the place
of the agent's in the editor's settings. Everything passes through byte for byte; an agent that loops is told to try something
else, a futile call that it asks permission for is refused, then you are asked, and at last it is stopped.

${optionLines(OPTIONS, 22)}

Exit codes: those of the agent; 2 if it cannot be started, 64 usage error.`;

const ABOUT = { name: 'acp', help: HELP, options: OPTIONS, startsProgram: true } as const;

/** `unrut acp`. */
export const acp = defineCommand(ABOUT, async ({ values, operands: command }) => {
  if (command.length === 0)
    throw usageError('acp takes the command of an agent. See unrut acp --help.');
  const { settings, problems } = loadSettings();
  problems.forEach(complain);
  const name = values.name ?? serverName(command);
  const guard = openAcpGuard(settings, name, values.shadow);
  const editor = { input: process.stdin, output: process.stdout };
  try {
    const { code, signal } = await relayCommand(
      command as [string, ...string[]],
      editor,
      ['the agent', 'an ACP agent'],
      ({ toClient, toServer }) =>
        createAcpExchange(guard, { toAgent: toServer, toEditor: toClient }),
    );
    await guard.close();
    if (signal) process.kill(process.pid, signal);
    return code ?? EXIT.unreadable;
  } finally {
    await guard.close();
  }
});
