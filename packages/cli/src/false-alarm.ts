import { UnrutError } from '@unrut/engine/errors';
import { printable } from '@unrut/engine/text/printable';
import { lastAlarm } from '@unrut/ledger/people/alarm';
import { forgive, forgivenText, unforgive, whatOf } from '@unrut/ledger/people/forgive';
import { readSaid } from '@unrut/ledger/people/said';
import { sessionNamed } from '@unrut/ledger/views/find-session';
import { readLedger } from '@unrut/ledger/views/read-ledger';
import { flagOption, optionLines, textOption, wholeNumber } from './arguments.ts';
import { defineCommand, MAYBE_ONE_SESSION } from './command.ts';
import { EXIT, usageError } from './exit.ts';
import { DRIVERS } from './ledger-drivers.ts';
import { printLines } from './printed.ts';
import { writeReport } from './report.ts';
import { where } from './switch.ts';

const OPTIONS = {
  tool: flagOption('for every call of that tool or program, instead of this call'),
  project: flagOption('for everything that this detector sees in this project'),
  list: flagOption('list what was forgiven'),
  undo: flagOption(
    'take back the newest, or number N of the list\n  --undo all     take back all',
    '[N]',
  ),
  report: flagOption('write a redacted file about it that you can send by hand'),
  output: {
    ...textOption(
      'FILE',
      'where --report writes (default unrut-report.json in this folder; - for standard output)',
    ),
    short: 'o',
  },
  json: flagOption('print the result as one JSON object'),
} as const;

const HELP = `unrut false-alarm [options] [session]

Say that the newest alarm (of a session, or of all) was false. It is recorded with its evidence, and from now on Unrut adds no more than
a note there; after a second report, it says nothing. --list shows what was forgiven.

${optionLines(OPTIONS, 15)}

The file of --report holds versions, effective settings, the alarm with its evidence, and the session's entries. Secrets are masked, and
your home folder is written as ~. Nothing is sent: read it, then send it yourself if you want to.

Exit codes: 0 done, 2 no alarm was found or the ledger could not be used, 64 usage error.`;

const ABOUT = {
  name: 'false-alarm',
  help: HELP,
  options: OPTIONS,
  operands: MAYBE_ONE_SESSION,
} as const;

/** `unrut false-alarm`. */
export const falseAlarm = defineCommand(ABOUT, async ({ values, operands: [given] }) => {
  if (values.tool && values.project) throw usageError('--tool and --project cannot be combined.');
  if (values.output !== undefined && !values.report)
    throw usageError('--output goes with --report.');
  if (values.report) return writeReport(given, values.output ?? 'unrut-report.json');
  const { folder, path, ledger: address } = where();
  const now = Date.now();
  const tell = (result: object, lines: readonly string[]): void => {
    if (values.json) console.log(JSON.stringify(result));
    else printLines(lines.map(printable));
  };
  if (values.list) {
    const { forgiven } = readSaid(path, now);
    const lines = forgiven.map(
      (each, i) => `${i + 1}. ${whatOf(each)}: ${each.silent ? 'silence' : 'no more than a note'}`,
    );
    tell({ forgiven }, lines.length > 0 ? lines : ['Nothing was forgiven.']);
    return EXIT.ok;
  }
  if (values.undo) {
    const undone = unforgive(
      path,
      now,
      given === undefined || given === 'all' ? given : wholeNumber('undo', given, 1),
    );
    tell(
      { undone },
      undone.length > 0
        ? undone.map((each) => `Taken back: ${whatOf(each)} counts again.`)
        : ['There is nothing to take back.'],
    );
    return EXIT.ok;
  }
  const forgiven = await readLedger(address, DRIVERS, async (ledger, reports) => {
    const alarm = await lastAlarm(
      ledger,
      given === undefined ? undefined : await sessionNamed(reports, given),
    );
    if (!alarm)
      throw new UnrutError(
        'no-alarm',
        `No alarm was raised${given === undefined ? '' : ` in session ${given}`}, so there is nothing to forgive.`,
      );
    return forgive(ledger, path, {
      alarm,
      scope: values.tool ? 'tool' : values.project ? 'project' : 'call',
      folder,
      at: now,
    });
  });
  tell({ forgiven }, [forgivenText(forgiven)]);
  return EXIT.ok;
});
