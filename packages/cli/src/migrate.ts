import { isPostgresUrl } from '@unrut/ledger/postgres-address';
import { withOwner } from '@unrut/postgres/database';
import { migrateSchema, migrationState } from '@unrut/postgres/migrate';
import { flagOption, optionLines, textOption } from './arguments.ts';
import { defineCommand, NO_OPERANDS } from './command.ts';
import { effectiveLedger } from './effective-ledger.ts';
import { EXIT, usageError } from './exit.ts';

const OPTIONS = {
  ledger: textOption('URL', 'the database (default UNRUT_LEDGER)'),
  check: flagOption('change nothing; exit 1 when there is something to do'),
  json: flagOption('print the versions as one JSON object'),
} as const;

const HELP = `unrut ledger migrate [options]

Create or upgrade the tables of a ledger in Postgres. Run it before new servers start; servers of the version before go on meanwhile.
The role that runs it owns the tables. Grant the role unrut_server to the role of your servers. Set UNRUT_LEDGER to
postgres://user@host/database, and keep the password in PGPASSWORD or a .pgpass file.

${optionLines(OPTIONS)}

Exit codes: 0 up to date, 1 something is to do (--check), 2 the database cannot be used, 64 usage error.`;

const SOMETHING_TO_DO = 1;

const ABOUT = {
  name: 'ledger migrate',
  help: HELP,
  options: OPTIONS,
  operands: NO_OPERANDS,
} as const;

/** `unrut ledger migrate`. */
export const migrateCommand = defineCommand(ABOUT, async ({ values }) => {
  const { version, latest } = await withOwner(
    postgresAddress('ledger migrate', values.ledger),
    values.check ? migrationState : migrateSchema,
  );
  const isDue = version < latest;
  if (values.json)
    console.log(JSON.stringify({ version, latest, changed: isDue && !values.check }));
  else if (!isDue) console.log(`The schema is up to date, at version ${version}.`);
  else if (values.check)
    console.log(
      `The schema has version ${version}; version ${latest} is there. Run unrut ledger migrate.`,
    );
  else console.log(`Brought the schema from version ${version} to version ${latest}.`);
  return values.check && isDue ? SOMETHING_TO_DO : EXIT.ok;
});

/** The database that a command is for. */
export function postgresAddress(command: string, given: string | undefined): string {
  const address = given ?? effectiveLedger();
  if (isPostgresUrl(address)) return address;
  throw usageError(
    `${command} needs a Postgres: set UNRUT_LEDGER to postgres://user@host/database, or use --ledger.`,
  );
}
