import type { LedgerEntry, LedgerQuery } from '@unrut/ledger/ledger';
import { ENTRY_KINDS } from '@unrut/ledger/ledger-entry';
import { entryText } from '@unrut/ledger/report/entry-text';
import type { Reports } from '@unrut/ledger/reports/reports';
import { paintFor } from '@unrut/ledger/text/paint';
import { sessionNamed } from '@unrut/ledger/views/find-session';
import { followLedger } from '@unrut/ledger/views/follow-ledger';
import { readLedger } from '@unrut/ledger/views/read-ledger';
import { flagOption, optionLines, textOption, timeArgument, wholeNumber } from './arguments.ts';
import { defineCommand } from './command.ts';
import { effectiveLedger, nothingYet } from './effective-ledger.ts';
import { EXIT, usageError } from './exit.ts';
import { DRIVERS } from './ledger-drivers.ts';
import { printJson } from './printed.ts';
import { untilStopped } from './until-stopped.ts';

const OPTIONS = {
  session: textOption('NAME', 'only this session (a prefix is enough)'),
  since: textOption('WHEN', 'only entries after WHEN: 30m, 24h, 7d, 2w, or a date'),
  kind: textOption('KIND', 'only this kind: event, signal, plan, outcome or fault'),
  last: textOption('N', 'show the newest N (default 50; all with --since)'),
  follow: { ...flagOption('stream new entries until Ctrl-C'), short: 'f' },
  json: flagOption('print entries as stored, one JSON object per line'),
} as const;

const HELP = `unrut log [options]

Print recorded entries, one per line, oldest first: time, session, step, and an event, a signal (▲), a plan (→), an outcome (✓ ·) or
a fault (!).

${optionLines(OPTIONS)}

Exit codes: 0 done (even if empty), 2 no such session or the ledger could not be read, 64 usage error.`;

/** How many are shown where nobody says how many, or since when. */
const SHOWN = 50;

/** `unrut log`. */
export const log = defineCommand(
  { name: 'log', help: HELP, options: OPTIONS },
  async ({ values, operands }) => {
    if (operands.length > 0)
      throw usageError(
        `log takes no operand, got ${operands[0]}; did you mean --session ${operands[0]}?`,
      );
    const { since, last } = values;
    const kind = ENTRY_KINDS.find((each) => each === values.kind);
    if (values.kind !== kind)
      throw usageError(`--kind takes ${ENTRY_KINDS.join(', ')}; got ${values.kind}.`);
    const query: LedgerQuery = {
      kind,
      since: since === undefined ? undefined : timeArgument('since', since, Date.now()),
      last:
        last !== undefined ? wholeNumber('last', last, 1) : since === undefined ? SHOWN : undefined,
    };
    const path = effectiveLedger();
    const given = values.session;
    if (given !== undefined)
      query.session = await readLedger(path, DRIVERS, (_, reports) => sessionNamed(reports, given));
    if (values.follow) {
      for await (const entries of followLedger(path, DRIVERS, query, untilStopped()))
        entries.forEach(
          printer(
            values.json,
            await readLedger(path, DRIVERS, (_, reports) => namesIn(entries, reports)),
          ),
        );
      return EXIT.ok;
    }
    const isCut = last === undefined && since === undefined;
    const { found, entries, names, isEmpty } = await readLedger(
      path,
      DRIVERS,
      async (ledger, reports) => {
        const found = await ledger.entries(isCut ? { ...query, last: SHOWN + 1 } : query);
        const entries = isCut ? found.slice(-SHOWN) : found;
        const isEmpty = entries.length === 0 && (await reports.sessions({ most: 0 })).total === 0;
        return { found, entries, names: await namesIn(entries, reports), isEmpty };
      },
    );
    entries.forEach(printer(values.json, names));
    if (!values.json && found.length > entries.length)
      console.error(`The newest ${entries.length} entries; --last 500 shows more.`);
    if (entries.length === 0 && !values.json)
      console.log(isEmpty ? nothingYet(path) : 'No matching entries.');
    return EXIT.ok;
  },
);

const namesIn = (entries: readonly LedgerEntry[], reports: Reports): ReturnType<Reports['names']> =>
  reports.names([...new Set(entries.map(({ session }) => session))]);

/** Lines are cut only on a terminal, so that output stays searchable elsewhere. */
function printer(
  isJson: boolean,
  names: ReadonlyMap<string, string>,
): (entry: LedgerEntry) => void {
  if (isJson) return (entry) => printJson<'log'>(entry);
  const paint = paintFor(process.stdout);
  const width = process.stdout.isTTY ? process.stdout.columns || 80 : Number.POSITIVE_INFINITY;
  return (entry) =>
    console.log(
      entryText(entry, {
        paint,
        width,
        name: names.get(entry.session) ?? entry.session.slice(0, 8),
      }),
    );
}
