import { printable } from '@unrut/engine/text/printable';
import { loadSettings } from '@unrut/ledger/config/load-settings';
import { addressOf, ledgerName } from '@unrut/ledger/open-ledger';

/** The path or address of the ledger that the settings name; there may be nothing yet. */
export const effectiveLedger = (): string => addressOf(loadSettings().settings.ledger);

/** Said where there is nothing to show: how to connect an agent. */
export const nothingYet = (address: string): string =>
  [
    `Nothing has been recorded in ${printable(ledgerName(address))} yet.`,
    elsewhere() ??
      'Connect an agent with unrut install claude-code; unrut install lists the others.',
  ].join('\n');

/** Where the sessions of hooks are, if a server answers them. */
export const elsewhere = (): string | undefined =>
  process.env.UNRUT_SERVER
    ? `Sessions of connected agents are recorded by ${process.env.UNRUT_SERVER} (UNRUT_SERVER): open it in a browser.`
    : undefined;
