import { statusLineFor } from '../hook/person/status.ts';
import { readStandardInput } from '../hook/read-standard-input.ts';
import { parsed } from '../json.ts';
import { readArguments } from './arguments.ts';
import { EXIT, usageError } from './exit.ts';

const HELP = `unrut statusline

Print one line about a session, for the status line of Claude Code: quiet, watching, looping, what was done, or that Unrut is off. Reads the
JSON that Claude Code passes to a status line from standard input. unrut install claude-code --statusline sets it up.

Options
  --help

Exit codes: 0, even on errors; 64 usage error.`;

/** Milliseconds; a status line is drawn without it after that. */
const WAIT = 1000;

/** `unrut statusline`. Returns the exit code. */
export async function statusline(args: readonly string[]): Promise<number> {
  const { values, positionals } = readArguments('statusline', args, { help: { type: 'boolean', short: 'h', default: false } });
  if (values.help) {
    console.log(HELP);
    return EXIT.ok;
  }
  if (positionals.length > 0) throw usageError(`statusline takes no arguments; got ${positionals[0]}.`);
  const input = process.stdin.isTTY ? '' : await readStandardInput(WAIT);
  console.log(await statusLineFor(parsed(input ?? '')));
  return EXIT.ok;
}
