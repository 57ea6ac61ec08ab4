import { once } from 'node:events';
import { existsSync } from 'node:fs';
import type { LedgerEntry } from '@unrut/ledger/ledger';
import { isPostgresUrl } from '@unrut/ledger/postgres-address';
import { createSqliteLedger } from '@unrut/ledger/sqlite';
import { openPostgres } from '@unrut/postgres';
import { createOrganisations } from '@unrut/postgres/organisation/organisations';
import { optionLines, textOption, timeArgument, wholeNumber } from './arguments.ts';
import { defineCommand, NO_OPERANDS } from './command.ts';
import { effectiveLedger } from './effective-ledger.ts';
import { EXIT, usageError } from './exit.ts';

const OPTIONS = {
  since: textOption(
    'WHEN',
    'only entries at or after this time: 30m, 24h, 7d, 2w or a date (default all)',
  ),
  org: textOption('NUMBER', 'the organisation, in Postgres (default 1)', '1'),
  ledger: textOption(
    'LEDGER',
    'a file, or postgres://user@host/database (default UNRUT_LEDGER, else the one that the settings name)',
  ),
} as const;

const HELP = `unrut ledger export [options]

Write what is recorded to standard output as JSON Lines, entries of a session in the order in which they came: one line per event, signal,
plan, outcome and fault, as the ledger has it (redacted, without arguments and results). It is read page by page, whatever its size.

${optionLines(OPTIONS)}

Exit codes: 0 done, 2 unusable ledger, 64 usage error.`;

/** `unrut ledger export`. */
export const exportLedger = defineCommand(
  { name: 'ledger export', help: HELP, options: OPTIONS, operands: NO_OPERANDS },
  async ({ values }) => {
    const since = values.since === undefined ? 0 : timeArgument('since', values.since, Date.now());
    const org = wholeNumber('org', values.org, 1);
    const address = values.ledger ?? effectiveLedger();
    await (isPostgresUrl(address)
      ? exportPostgres(address, org, since)
      : exportFile(address, since));
    return EXIT.ok;
  },
);

async function exportFile(path: string, since: number): Promise<void> {
  if (!existsSync(path))
    throw usageError(`There is no ledger in ${path}. Name another with --ledger.`);
  const ledger = createSqliteLedger({ path });
  try {
    for await (const entries of ledger.stream!(since)) await write(entries);
  } finally {
    await ledger.close();
  }
}

async function exportPostgres(url: string, org: number, since: number): Promise<void> {
  const postgres = openPostgres({ url });
  try {
    await createOrganisations(postgres.database)
      .of(org)
      .audited({ actor: 'cli', action: 'exported', data: { since } });
    for await (const entries of postgres.ledger({ org }).stream!(since)) await write(entries);
  } finally {
    await postgres.close();
  }
}

/** Waits for a reader that is slower. */
async function write(entries: readonly LedgerEntry[]): Promise<void> {
  if (entries.length === 0) return;
  const text = entries.map((entry) => `${JSON.stringify(entry)}\n`).join('');
  if (!process.stdout.write(text)) await once(process.stdout, 'drain');
}
