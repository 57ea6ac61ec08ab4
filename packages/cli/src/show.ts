import { UnrutError } from '@unrut/engine/errors';
import { timelineText } from '@unrut/ledger/report/timeline-text';
import { summaryOf } from '@unrut/ledger/reports/reports';
import { sessionNamed } from '@unrut/ledger/views/find-session';
import { readLedger } from '@unrut/ledger/views/read-ledger';
import { timelineOf } from '@unrut/ledger/views/timeline';
import { flagOption, optionLines } from './arguments.ts';
import { defineCommand, MAYBE_ONE_SESSION } from './command.ts';
import { effectiveLedger, nothingYet } from './effective-ledger.ts';
import { EXIT } from './exit.ts';
import { DRIVERS } from './ledger-drivers.ts';
import { printJson, printLines } from './printed.ts';
import { standardOutput } from './width.ts';

const OPTIONS = {
  json: flagOption('print one JSON object instead of text'),
} as const;

const HELP = `unrut show [options] [session]

Show a recorded session step by step: each call and its result, what was detected, what Unrut did about it, whether the host could do
that, and whether it helped. [session] can be shortened to the prefix that unrut sessions lists; without it, the newest is shown.

${optionLines(OPTIONS)}

Exit codes: 0 shown, 2 no such session or the ledger could not be read, 64 usage error.`;

const ABOUT = { name: 'show', help: HELP, options: OPTIONS, operands: MAYBE_ONE_SESSION } as const;

/** `unrut show`. */
export const show = defineCommand(ABOUT, async ({ values, operands: [given] }) => {
  const path = effectiveLedger();
  const { session, moments } = await readLedger(path, DRIVERS, async (_, reports) => {
    const name =
      given === undefined
        ? (await reports.sessions({ most: 1 })).sessions[0]?.session
        : await sessionNamed(reports, given);
    if (name === undefined) throw new UnrutError('unknown-session', nothingYet(path));
    return {
      session: summaryOf((await reports.session(name))!),
      moments: timelineOf((await reports.history(name))!.entries),
    };
  });
  if (values.json) printJson<'show'>({ session, moments });
  else printLines(timelineText(session, moments, standardOutput()));
  return EXIT.ok;
});
