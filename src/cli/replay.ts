import { readFileSync } from 'node:fs';
import { type AccountState, addEntry, readAccount, startAccount } from '../account/account.ts';
import { UnrutError } from '../errors.ts';
import type { AgentEvent } from '../event.ts';
import { createGuard } from '../guard.ts';
import { entriesOf } from '../ledger/record.ts';
import { observe, type Preset, recommended, strict } from '../presets.ts';
import { counted, number } from '../report/figures.ts';
import { stepText } from '../report/step-text.ts';
import { paintFor } from '../text/paint.ts';
import { printable } from '../text/printable.ts';
import { asRecorded } from '../views/recorded-entry.ts';
import { readArguments } from './arguments.ts';
import { EXIT, usageError } from './exit.ts';

const HELP = `unrut replay [options] <file.jsonl>

Replay a recorded run (one event per line, - for standard input) through the guard and show each step: its result, what was detected,
and what Unrut would do. The recorded agent does not react.

Options
  --preset NAME   recommended (default), strict or observe
  --json          print one JSON verdict per line instead of text
  --exit-zero     exit with 0 even if there are loops
  --help

Exit codes: 0 no loops, 1 loops found, 2 a line could not be read, 64 usage error.`;

const OPTIONS = {
  preset: { type: 'string', default: 'recommended' },
  json: { type: 'boolean', default: false },
  'exit-zero': { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
} as const;

const PRESETS: Record<string, Preset> = { recommended, strict, observe };

/** `unrut replay`. Returns the exit code. */
export async function replay(args: readonly string[]): Promise<number> {
  const { values, positionals } = readArguments('replay', args, OPTIONS);
  if (values.help) {
    console.log(HELP);
    return EXIT.ok;
  }
  const [file, ...more] = positionals;
  if (file === undefined || more.length > 0) throw usageError(`replay takes one file, got ${positionals.length}. See unrut replay --help.`);
  const preset = PRESETS[values.preset];
  if (!preset) throw usageError(`--preset takes ${Object.keys(PRESETS).join(', ')}; got ${values.preset}.`);

  const guard = createGuard({ preset });
  const paint = paintFor(process.stdout);
  const accounts = new Map<string, AccountState>();
  let plans = 0;
  if (!values.json) console.log(paint.dim('A recorded run: the agent does not react.  ▲ detected  → what Unrut would do  ✓ outcome\n'));
  let broken = 0;
  for (const [i, line] of read(file).split('\n').entries()) {
    if (line.trim() === '') continue;
    const event = parse(line);
    const verdict = event === undefined ? null : guard.observe(event as AgentEvent);
    const fault = verdict ? verdict.faults.find(({ where }) => where === 'event')?.message : 'expected a JSON object';
    if (!verdict || fault) {
      broken++;
      console.error(printable(`[unrut] ${file}:${i + 1}: ${fault}. Line skipped.`));
      continue;
    }
    const { session } = event as AgentEvent;
    const account = accounts.get(session) ?? startAccount();
    accounts.set(session, account);
    if (verdict.seen) for (const entry of entriesOf(event as AgentEvent, verdict, 0)) addEntry(account, asRecorded(entry));
    if (verdict.plan ?? verdict.shadow) plans++;
    if (values.json) console.log(JSON.stringify(verdict));
    else for (const shown of stepText(verdict, paint)) console.log(shown);
  }
  const all = [...accounts.values()].map((account) => readAccount(account));
  const total = (of: (account: (typeof all)[number]) => number): number => all.reduce((sum, account) => sum + of(account), 0);
  const loops = total(({ looped }) => looped);
  if (!values.json) {
    const wasted = number(total((account) => account.wasted.steps));
    console.log(
      `\n${counted(
        total(({ steps }) => steps),
        'step',
      )}, ${wasted} wasted in ${counted(loops, 'loop')}; ${counted(plans, 'intervention')} ${preset.shadow ? 'recorded' : 'planned'}.`,
    );
  }
  if (broken > 0) return EXIT.unreadable;
  return loops > 0 && !values['exit-zero'] ? EXIT.loops : EXIT.ok;
}

function read(file: string): string {
  try {
    return readFileSync(file === '-' ? 0 : file, 'utf8').replace(/^\uFEFF/, '');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new UnrutError('unreadable', `Cannot read ${file}: ${code ?? message}. Expected a file with one event per line.`);
  }
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
