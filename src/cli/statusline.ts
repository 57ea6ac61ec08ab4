import { homedir } from 'node:os';
import { loadSettings } from '../config/load-settings.ts';
import { statusText } from '../hook/person/status.ts';
import { readStandardInput } from '../hook/read-standard-input.ts';
import { isObject, parsed, textOf } from '../json.ts';
import { safeName } from '../redact/safe-name.ts';
import { printable } from '../text/printable.ts';
import { readLedger } from '../views/read-ledger.ts';
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
  console.log(await lineFor(parsed(input ?? '')));
  return EXIT.ok;
}

async function lineFor(payload: unknown): Promise<string> {
  try {
    const given = isObject(payload) ? payload : {};
    const folder = textOf(given.cwd) || process.cwd();
    const { settings } = loadSettings({ cwd: folder, home: homedir(), environment: process.env });
    const session = textOf(given.session_id) === '' ? undefined : safeName(textOf(given.session_id));
    return printable(await readLedger(settings.ledger.path, (ledger) => statusText(ledger, settings, folder, session)));
  } catch {
    return 'Unrut: cannot read its ledger (unrut doctor)';
  }
}
