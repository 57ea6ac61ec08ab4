import { installableHosts } from '@unrut/agents/hosts';
import { isConnected } from '@unrut/agents/install/connect';
import { commandWord } from '@unrut/agents/install/hook-files';
import { NO_CALL } from '@unrut/agents/settings-files/order';
import { printable } from '@unrut/engine/text/printable';
import { serverIn } from '@unrut/ledger/config/addresses';
import { loadSettings } from '@unrut/ledger/config/load-settings';
import type { SessionFigures } from '@unrut/ledger/figures/session-figures';
import { addressOf, ledgerName } from '@unrut/ledger/open-ledger';
import { mayBeOff } from '@unrut/ledger/people/said';
import { here } from './chosen-agents.ts';

/** The path or address of the ledger that the settings name; there may be nothing yet. */
export const effectiveLedger = (): string => addressOf(loadSettings().settings.ledger);

/**
 * A session that was off at its last event, and was switched on since, is not off; one that was
 * switched off itself since, is.
 */
export function asItIsNow<Summary extends SessionFigures>(summary: Summary): Summary {
  const { said } = loadSettings().settings;
  if (summary.mode !== 'off')
    return said.off.some(({ session }) => session === summary.session)
      ? { ...summary, mode: 'off' }
      : summary;
  const { mode: _, ...rest } = summary;
  return mayBeOff(said, summary.session, summary.folder) ? summary : (rest as Summary);
}

/** The message if there is nothing to show: how to connect an agent, or that one is connected. */
export const nothingYet = (address: string): string =>
  [
    `Nothing has been recorded in ${printable(ledgerName(address))} yet.`,
    elsewhere() ?? connectedAlready() ?? howToConnect(),
  ].join('\n');

function connectedAlready(): string | undefined {
  const at = here();
  const connected = installableHosts.filter((agent) =>
    (['user', 'project'] as const).some((scope) =>
      isConnected(agent, { scope, at, call: NO_CALL }),
    ),
  );
  if (connected.length === 0) return undefined;
  const names = connected.map(({ label }) => label).join(', ');
  return `${names} ${connected.length === 1 ? 'is' : 'are'} connected: what ${connected.length === 1 ? 'it does' : 'they do'} next is recorded. ${commandWord(at)} doctor checks the hooks.`;
}

const howToConnect = (): string => {
  const unrut = commandWord(here());
  return `Connect an agent with ${unrut} install claude-code; ${unrut} install lists the others.`;
};

/** Names the server that stores the sessions of hooks, if there is one. */
export const elsewhere = (): string | undefined =>
  serverIn(process.env)
    ? `Sessions of connected agents are recorded by ${serverIn(process.env)} (UNRUT_SERVER): open it in a browser.`
    : undefined;
