import { writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { UnrutError } from '@unrut/engine/errors';
import { errorReason } from '@unrut/engine/redact/reason';
import { redact } from '@unrut/engine/redact/redact';
import { printable } from '@unrut/engine/text/printable';
import { effectiveSettings } from '@unrut/ledger/config/effective-settings';
import { loadSettings } from '@unrut/ledger/config/load-settings';
import { addressOf } from '@unrut/ledger/open-ledger';
import { FALSE_ALARMS } from '@unrut/ledger/people/forgive';
import { sessionNamed } from '@unrut/ledger/views/find-session';
import { readLedger } from '@unrut/ledger/views/read-ledger';
import { EXIT } from './exit.ts';
import { DRIVERS } from './ledger-drivers.ts';
import { version } from './version.ts';

/** Entries of a session in a report, the newest. */
const MAX_ENTRIES = 500;

/**
 * `unrut false-alarm --report`: writes a file about the newest false alarm, or about a session.
 */
export async function writeReport(given: string | undefined, output: string): Promise<number> {
  const loaded = loadSettings();
  const content = await readLedger(
    addressOf(loaded.settings.ledger),
    DRIVERS,
    async (ledger, reports) => {
      const [newest] = (await reports.sessions({ most: 1 })).sessions;
      const alarms = await ledger.context({ topics: [FALSE_ALARMS], last: 20 });
      const session =
        given === undefined
          ? (alarms.at(-1)?.session ?? newest?.session)
          : await sessionNamed(reports, given);
      if (session === undefined)
        throw new UnrutError(
          'no-session',
          'Nothing has been recorded yet, so there is nothing to report.',
        );
      const entries = await ledger.entries({ session, last: MAX_ENTRIES });
      return { session, falseAlarms: alarms.filter((each) => each.session === session), entries };
    },
  );
  const about = { unrut: version(), node: process.versions.node, platform: process.platform };
  const text = masked(
    JSON.stringify(
      { ...about, settings: effectiveSettings(loaded), problems: loaded.problems, ...content },
      null,
      2,
    ),
  );
  if (output === '-') console.log(text);
  else {
    const file = resolve(output);
    try {
      writeFileSync(file, `${text}\n`, { mode: 0o600 });
    } catch (error) {
      throw new UnrutError('unwritable', `Cannot write ${file}: ${errorReason(error)}.`);
    }
    console.log(
      printable(`Wrote ${file}. Nothing was sent: read it, then send it yourself if you want to.`),
    );
  }
  return EXIT.ok;
}

/** Line by line, as the rules for secrets look at lines. */
const masked = (text: string): string =>
  text
    .replaceAll(JSON.stringify(homedir()).slice(1, -1), '~')
    .split('\n')
    .map((line) => redact(line))
    .join('\n');
