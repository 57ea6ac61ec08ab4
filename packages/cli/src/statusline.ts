import { readStandardInput } from '@unrut/agents/hook/read-standard-input';
import { parsed } from '@unrut/engine/json';
import { statusLineFor } from '@unrut/ledger/people/status';
import { defineCommand, NO_OPERANDS } from './command.ts';
import { EXIT } from './exit.ts';
import { DRIVERS } from './ledger-drivers.ts';

const HELP = `unrut statusline

Print one line about a session, for the status line of Claude Code: quiet, watching, looping, what was done, or that Unrut is off; without
a loop, also how the last week went. Reads the JSON that Claude Code passes to a status line from standard input.
unrut install claude-code --statusline sets it up.

Options
  --help

Exit codes: 0, even on errors; 64 usage error.`;

/** Milliseconds; a status line is drawn without it after that. */
const WAIT = 1000;

/** `unrut statusline`. */
export const statusline = defineCommand(
  { name: 'statusline', help: HELP, operands: NO_OPERANDS },
  async () => {
    const input = process.stdin.isTTY ? '' : await readStandardInput(WAIT);
    console.log(await statusLineFor(parsed(input ?? ''), DRIVERS));
    return EXIT.ok;
  },
);
