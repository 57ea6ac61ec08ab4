import type { LedgerEntry, LedgerQuery } from '@unrut/ledger/ledger';
import { ENTRY_KINDS } from '@unrut/ledger/ledger-entry';
import { entryText } from '@unrut/ledger/report/entry-text';
import type { Reports } from '@unrut/ledger/reports/reports';
import { nameAlone } from '@unrut/ledger/reports/session-name';
import { paintFor } from '@unrut/ledger/text/paint';
import { sessionNamed } from '@unrut/ledger/views/find-session';
import { followLedger } from '@unrut/ledger/views/follow-ledger';
import { readLedger } from '@unrut/ledger/views/read-ledger';
import { timeArgument, wholeNumber } from './arguments.ts';
import { defineCommand, MAYBE_ONE_SESSION } from './command.ts';
import { effectiveLedger, nothingYet } from './effective-ledger.ts';
import { EXIT, usageError } from './exit.ts';
import { DRIVERS } from './ledger-drivers.ts';
import { printJson } from './printed.ts';
import { LOG_OPTIONS as OPTIONS, SHOW_HELP } from './show-options.ts';
import { untilStopped } from './until-stopped.ts';

/** The default number of lines without a limit or a start time. */
const SHOWN = 50;

/** `unrut show --log`. */
export const log = defineCommand(
  { name: 'show --log', help: SHOW_HELP, options: OPTIONS, operands: MAYBE_ONE_SESSION },
  async ({ values, operands }) => {
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
    const given = operands[0] ?? values.session;
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
        name: names.get(entry.session) ?? nameAlone(entry.session),
      }),
    );
}
