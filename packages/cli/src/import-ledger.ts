import { existsSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import type { Ledger } from '@unrut/ledger/ledger';
import type { LedgerEntry } from '@unrut/ledger/ledger-entry';
import { isPostgresUrl } from '@unrut/ledger/postgres-address';
import { counted } from '@unrut/ledger/report/figures';
import { createSqliteLedger } from '@unrut/ledger/sqlite';
import { databaseOf } from '@unrut/ledger/sqlite/database-of';
import { createPostgresLedger } from '@unrut/postgres';
import { optionLines, textOption, wholeNumber } from './arguments.ts';
import { defineCommand, ONE_FILE } from './command.ts';
import { EXIT, usageError } from './exit.ts';

const OPTIONS = {
  ledger: textOption('URL', 'postgres://user@host/database (default UNRUT_LEDGER)'),
  org: textOption('NUMBER', 'the organisation (default 1)', '1'),
} as const;

const HELP = `unrut ledger import <ledger.db> [options]

Copy a ledger in SQLite into Postgres: sessions with their states, entries and context. What is there already stays as it is, so it can be
run again. Keys are not copied.

${optionLines(OPTIONS)}

Exit codes: 0 done, 2 unusable ledger, 64 usage error.`;

/** Entries of one transaction. */
const AT_ONCE = 500;

const ABOUT = { name: 'ledger import', help: HELP, options: OPTIONS, operands: ONE_FILE } as const;

/** `unrut ledger import`. */
export const importLedger = defineCommand(ABOUT, async ({ values, operands }) => {
  const path = operands[0]!;
  if (!existsSync(path)) throw usageError(`There is no ledger in ${path}.`);
  const url = values.ledger ?? process.env.UNRUT_LEDGER ?? '';
  if (!isPostgresUrl(url))
    throw usageError(
      'ledger import needs the address of a Postgres: set UNRUT_LEDGER, or use --ledger.',
    );
  const org = wholeNumber('org', values.org, 1);
  const from = createSqliteLedger({ path, retention: { days: 36_500, megabytes: 1_000_000 } });
  const to = createPostgresLedger({ url, org });
  try {
    // Entries without a session have an empty session name.
    const names = new Set(['', ...namesIn(path)]);
    let [sessions, entries] = [0, 0];
    for (const session of names) {
      const copied = await copySession(from, to, session);
      entries += copied.entries;
      if (session !== '' && copied.isNew) sessions++;
    }
    const context = await from.context();
    await to.update([], () => ({ context }), { repeatable: true });
    const before = names.size - 1 - sessions;
    console.log(
      `Copied ${counted(sessions, 'session')} with ${counted(entries, 'record')} of ${path}.${before > 0 ? ` ${counted(before, 'session')} had been copied before.` : ''}`,
    );
  } finally {
    await from.close();
    await to.close();
  }
  return EXIT.ok;
});

/** Lists the sessions, and the states stored under derived names. */
function* namesIn(path: string): Generator<string> {
  const all = (database: DatabaseSync) =>
    database.prepare('SELECT session FROM sessions').iterate() as Generator<{ session: string }>;
  for (const { session } of databaseOf(path, all)) yield String(session);
}

/**
 * Copies entries in batches, and the state with the last batch: if another process continues the
 * session meanwhile, its newer state is kept.
 */
async function copySession(
  from: Ledger,
  to: Ledger,
  session: string,
): Promise<{ isNew: boolean; entries: number }> {
  const known = new Set((await entriesOf(to, session)).map(({ id }) => id));
  const entries = (await entriesOf(from, session)).filter(({ id }) => !known.has(id));
  const state = session === '' ? null : await from.loadState(session);
  for (let start = 0; start < entries.length; start += AT_ONCE)
    await to.append(entries.slice(start, start + AT_ONCE));
  if (state !== null)
    await to.update([session], ([saved]) => (saved?.read() === null ? { states: [state] } : {}), {
      repeatable: true,
    });
  return { isNew: known.size === 0, entries: entries.length };
}

async function entriesOf(ledger: Ledger, session: string): Promise<LedgerEntry[]> {
  const under = session === '' ? [] : await ledger.entries({ session, under: [`${session}/`] });
  const pieces = under.filter(({ kind }) => kind === 'piece');
  return [...pieces, ...(await ledger.entries({ session }))];
}
