import { loadSettings } from '@unrut/ledger/config/load-settings';
import { sessionsText } from '@unrut/ledger/report/sessions-text';
import { onlyFigures, type SessionRow, type SessionsQuery } from '@unrut/ledger/reports/reports';
import { readLedger } from '@unrut/ledger/views/read-ledger';
import { timeArgument, wholeNumber } from './arguments.ts';
import { defineCommand, NO_OPERANDS } from './command.ts';
import { asItIsNow, effectiveLedger, nothingYet } from './effective-ledger.ts';
import { EXIT } from './exit.ts';
import { DRIVERS } from './ledger-drivers.ts';
import { originGiven } from './origin-options.ts';
import { printJson, printLines } from './printed.ts';
import { LIST_OPTIONS as OPTIONS, SHOW_HELP } from './show-options.ts';
import { standardOutput } from './width.ts';

interface Listed {
  sessions: SessionRow[];
  more: number;
  older: number;
}

/** `unrut show --list`. */
export const sessions = defineCommand(
  { name: 'show --list', help: SHOW_HELP, options: OPTIONS, operands: NO_OPERANDS },
  async ({ values }) => {
    const now = Date.now();
    const since = values.since === undefined ? 0 : timeArgument('since', values.since, now);
    const path = effectiveLedger();
    const {
      sessions: shown,
      more,
      older,
    } = await list(path, {
      ...originGiven(values),
      since,
      most: wholeNumber('last', values.last, 1),
    });
    if (values.json) printJson<'sessions'>({ sessions: shown.map(onlyFigures), more });
    else if (shown.length + older === 0) console.log(nothingYet(path));
    else if (shown.length === 0)
      console.log(`No sessions active since ${values.since}; ${older} older.`);
    else {
      const names = new Map(shown.map(({ session, name }) => [session, name]));
      printLines(
        sessionsText(shown.map(asItIsNow), {
          ...standardOutput(),
          now,
          names,
          more,
          stall: loadSettings().settings.stall,
        }),
      );
    }
    return EXIT.ok;
  },
);

const list = (path: string, query: SessionsQuery & { since: number }): Promise<Listed> =>
  readLedger(path, DRIVERS, async (_, reports) => {
    const { sessions, total } = await reports.sessions(query);
    const older =
      query.since === 0
        ? 0
        : (await reports.sessions({ ...query, since: 0, most: 0 })).total - total;
    return { sessions, more: total - sessions.length, older };
  });
