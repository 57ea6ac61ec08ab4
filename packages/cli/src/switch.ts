import { homedir } from 'node:os';
import { UnrutError } from '@unrut/engine/errors';
import { printable } from '@unrut/engine/text/printable';
import { loadSettings } from '@unrut/ledger/config/load-settings';
import { addressOf } from '@unrut/ledger/open-ledger';
import { offFor, readSaid } from '@unrut/ledger/people/said';
import {
  LEFT_TRIAL,
  offText,
  type SwitchPlace,
  switchOff,
  switchOn,
  takeBack,
} from '@unrut/ledger/people/switch';
import { sessionNamed } from '@unrut/ledger/views/find-session';
import { readLedger } from '@unrut/ledger/views/read-ledger';
import { timeSpan } from '@unrut/ledger/views/time-given';
import { flagOption, optionLines, textOption } from './arguments.ts';
import { projectAround } from './chosen-agents.ts';
import { defineCommand, NO_OPERANDS } from './command.ts';
import { nothingYet } from './effective-ledger.ts';
import { EXIT, usageError } from './exit.ts';
import { DRIVERS } from './ledger-drivers.ts';
import { typeableHere } from './typeable-here.ts';

const OFF_OPTIONS = {
  for: textOption('TIME', 'only for so long (30m, 1h, 2d)'),
  session: textOption(
    '[NAME]',
    'only for the newest session, or for NAME (the start of a name from unrut show --list)',
  ),
  everywhere: flagOption('in all projects'),
} as const;

const HELP_OFF = `unrut off [options]

Switch Unrut off in the project that this folder is in: it says and does nothing there, and still records. It works at once, also in
running agents. unrut on switches it on. In an agent's prompt, type unrut off to switch it off for that session.

${optionLines(OFF_OPTIONS)}

Exit codes: 0 done, 2 no such session or the file could not be written, 64 usage error.`;

const ON_OPTIONS = {
  session: textOption('[NAME]', 'only for the newest session, or for NAME'),
  everywhere: flagOption('in all projects and sessions'),
} as const;

const HELP_ON = `unrut on [options]

Switch Unrut on again in the project that this folder is in: whatever switched it off there, for the project, for a session or everywhere.
A session that is switched on by --session leaves its trial: Unrut acts in it, whatever was drawn.

${optionLines(ON_OPTIONS)}

Exit codes: 0 on, 2 no such session or the file could not be written, 64 usage error.`;

const offCommand = defineCommand(
  { name: 'off', help: HELP_OFF, options: OFF_OPTIONS },
  async ({ values, operands }) => {
    if (operands.length > 0)
      throw usageError(
        `off takes no arguments; got ${operands[0]}. For a time: unrut off --for 1h.`,
      );
    if (values.session !== undefined && values.everywhere)
      throw usageError('--session and --everywhere cannot be combined.');
    const span = values.for === undefined ? undefined : timeSpan(values.for);
    if (values.for !== undefined && span === undefined)
      throw usageError(`--for takes a time such as 30m, 1h or 2d; got ${values.for}.`);
    const { folder, path, ledger } = where();
    const place: SwitchPlace = values.everywhere
      ? {}
      : values.session === undefined
        ? { folder }
        : { session: await named(ledger, values.session) };
    const now = Date.now();
    switchOff(path, place, now, span === undefined ? undefined : now + span);
    const said =
      values.session === undefined
        ? offText({ ...place, at: now, ...(span === undefined ? {} : { until: now + span }) })
        : `for session ${place.session}`;
    console.log(
      typeableHere(
        printable(
          `Unrut is off ${said}: it says and does nothing, and still records. Switch it on: unrut on`,
        ),
      ),
    );
    return EXIT.ok;
  },
);

const onCommand = defineCommand(
  { name: 'on', help: HELP_ON, options: ON_OPTIONS, operands: NO_OPERANDS },
  async ({ values }) => {
    if (values.session !== undefined && values.everywhere)
      throw usageError('--session and --everywhere cannot be combined.');
    const { folder, path, ledger } = where();
    const now = Date.now();
    const session = values.session === undefined ? undefined : await named(ledger, values.session);
    const wasEverywhere = readSaid(path, now).off.some(
      (each) => each.folder === undefined && each.session === undefined,
    );
    const wasOff =
      session === undefined && !values.everywhere
        ? switchOn(path, folder, undefined, now)
        : takeBack(path, now, (each) => values.everywhere || each.session === session, session);
    const { settings } = loadSettings({ cwd: folder });
    const left = offFor(settings.said, folder, session);
    const place = values.everywhere
      ? 'everywhere'
      : session === undefined
        ? `in ${folder}`
        : `for session ${session}`;
    if (left) console.log(printable(`Unrut is still off ${offText(left)}.`));
    else if (settings.shadow)
      console.log(
        typeableHere(
          'Unrut is switched on, but the settings make it record only: see unrut config.',
        ),
      );
    else if (session !== undefined && settings.guard.trial)
      console.log(printable(`Unrut is on ${place}. ${LEFT_TRIAL}`));
    else
      console.log(
        typeableHere(
          printable(
            wasOff
              ? `Unrut is on ${wasEverywhere && session === undefined ? 'everywhere' : place}.`
              : `Unrut was on already ${place}. If it is silent, unrut doctor says why.`,
          ),
        ),
      );
    return EXIT.ok;
  },
);

/** `unrut off`. */
export const off = Object.assign(
  (args: readonly string[]): Promise<number> => offCommand(args.map(withSession)),
  { options: offCommand.options },
);

/** `unrut on`. */
export const on = Object.assign(
  (args: readonly string[]): Promise<number> => onCommand(args.map(withSession)),
  { options: onCommand.options },
);

/** `--session` without a name is the newest. */
const withSession = (arg: string, i: number, args: readonly string[]): string =>
  arg === '--session' && (args[i + 1] ?? '-').startsWith('-') ? '--session=' : arg;

/** The project that the command was started in, and its ledger. */
export function where(): { folder: string; path: string; ledger: string } {
  const cwd = process.cwd();
  const { settings } = loadSettings({ cwd });
  return {
    folder: projectAround(cwd, homedir()),
    path: settings.ledger.path,
    ledger: addressOf(settings.ledger),
  };
}

const named = (ledger: string, given: string): Promise<string> =>
  readLedger(ledger, DRIVERS, async (_, reports) => {
    if (given !== '') return sessionNamed(reports, given);
    const [newest] = (await reports.sessions({ most: 1 })).sessions;
    if (!newest) throw new UnrutError('unknown-session', nothingYet(ledger));
    return newest.session;
  });
