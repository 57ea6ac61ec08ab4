import { counted } from '@unrut/ledger/report/figures';
import { withOwner } from '@unrut/postgres/database';
import { DEFAULT_DAYS, type KeptDays, lookAfter } from '@unrut/postgres/upkeep';
import { flagOption, optionLines, textOption, wholeNumber } from './arguments.ts';
import { defineCommand, NO_OPERANDS } from './command.ts';
import { EXIT } from './exit.ts';
import { postgresAddress } from './migrate.ts';

const OPTIONS = {
  ledger: textOption('URL', 'the database (default UNRUT_LEDGER)'),
  pieces: textOption(
    'DAYS',
    `days that ids of streamed pieces are kept (default ${DEFAULT_DAYS.pieces}, counted from when nothing more is added to their session)`,
  ),
  events: textOption('DAYS', `days that events are kept (default ${DEFAULT_DAYS.events})`),
  findings: textOption(
    'DAYS',
    `days that signals, plans, outcomes and sessions are kept (default ${DEFAULT_DAYS.findings})`,
  ),
  states: textOption(
    'DAYS',
    `days that a session can be resumed after its last event (default ${DEFAULT_DAYS.states})`,
  ),
  audit: textOption('DAYS', `days that the audit is kept (default ${DEFAULT_DAYS.audit})`),
  json: flagOption('print what was done as one JSON object'),
} as const;

const HELP = `unrut ledger upkeep [options]

Look after a ledger in Postgres: create the tables of the next days, and drop what is older than is kept. Run it daily, as the role that ran
unrut ledger migrate. If it does not run for a week, only space is lost.

${optionLines(OPTIONS)}

Exit codes: 0 done, 2 the database cannot be used, 64 usage error.`;

const KINDS = Object.keys(DEFAULT_DAYS) as (keyof KeptDays)[];

/** `unrut ledger upkeep`. */
export const upkeep = defineCommand(
  { name: 'ledger upkeep', help: HELP, options: OPTIONS, operands: NO_OPERANDS },
  async ({ values }) => {
    const days = Object.fromEntries(
      KINDS.map((kind) => [kind, wholeNumber(kind, values[kind] ?? String(DEFAULT_DAYS[kind]), 1)]),
    ) as unknown as KeptDays;
    const done = await withOwner(postgresAddress('ledger upkeep', values.ledger), (pool) =>
      lookAfter(pool, days),
    );
    if (values.json) console.log(JSON.stringify(done));
    else
      console.log(
        `Created ${counted(done.made, 'table')}, dropped ${counted(done.dropped.length, 'table')}, ${counted(done.states, 'state')} and ${counted(done.sessions, 'session')}.`,
      );
    return EXIT.ok;
  },
);
