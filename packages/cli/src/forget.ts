import { createInterface } from 'node:readline/promises';
import { printable } from '@unrut/engine/text/printable';
import { counted } from '@unrut/ledger/report/figures';
import { sessionNamed } from '@unrut/ledger/views/find-session';
import { readLedger } from '@unrut/ledger/views/read-ledger';
import { runKey } from '@unrut/tasks/run/run-store';
import { forgetTasks } from '@unrut/tasks/task-store';
import { flagOption, optionLines } from './arguments.ts';
import { defineCommand } from './command.ts';
import { effectiveLedger } from './effective-ledger.ts';
import { EXIT, usageError } from './exit.ts';
import { DRIVERS } from './ledger-drivers.ts';
import { printJson } from './printed.ts';

const OPTIONS = {
  all: flagOption('delete everything, including damaged ledgers that were set aside; asks first'),
  yes: { ...flagOption('do not ask; needed where nobody can be asked'), short: 'y' },
  json: flagOption('print what was deleted as one JSON object'),
} as const;

const HELP = `unrut ledger forget [options] <session…>

Delete the records of sessions and the guard's state for them. The start of a name, as listed by unrut show --list, is enough.
There is no undo.

${optionLines(OPTIONS)}

Exit codes: 0 deleted, 2 no such session or unusable ledger, 64 usage error.`;

/** `unrut ledger forget`. */
export const forget = defineCommand(
  { name: 'ledger forget', help: HELP, options: OPTIONS },
  async ({ values, operands }) => {
    if (values.all === operands.length > 0)
      throw usageError(
        'ledger forget takes either session names or --all. See unrut ledger forget --help.',
      );
    if (values.all && !values.yes && !(await isSure())) return EXIT.ok;
    const forgotten = await readLedger(effectiveLedger(), DRIVERS, async (ledger, reports) => {
      const sessions = await ledger.sessions();
      const wanted = new Set<string>(values.all ? sessions.map(({ session }) => session) : []);
      for (const given of operands) wanted.add(await sessionNamed(reports, given));
      if (values.all) await ledger.forget();
      else
        for (const session of wanted) {
          // A run stores its own state under names derived from its session.
          await forgetTasks(ledger, session);
          for (const key of [session, runKey(session)]) await ledger.forget(key);
        }
      return sessions.filter(({ session }) => wanted.has(session));
    });
    if (values.json) printJson<'forget'>({ forgotten });
    else if (values.all)
      console.log(`Deleted everything: ${counted(forgotten.length, 'session')}.`);
    else
      for (const { session, events } of forgotten)
        console.log(printable(`Deleted ${session}: ${counted(events, 'event')}.`));
    return EXIT.ok;
  },
);

/** Asks the user at the terminal. Throws if there is no terminal. */
async function isSure(): Promise<boolean> {
  const { stdin: input, stdout: output } = process;
  if (!input.isTTY || !output.isTTY)
    throw usageError(
      'ledger forget --all deletes every session. To do so without being asked, add --yes.',
    );
  const terminal = createInterface({ input, output });
  try {
    const answer = await terminal.question(
      'Delete every session in the ledger? There is no undo. [y/N] ',
    );
    if (/^y(?:es)?$/i.test(answer.trim())) return true;
    console.log('Nothing was deleted.');
    return false;
  } finally {
    terminal.close();
  }
}
