import type { Capability } from '@unrut/engine/event';
import { guardOptions } from '@unrut/ledger/config/guard-options';
import type { Settings } from '@unrut/ledger/config/settings';
import type { Ledger } from '@unrut/ledger/ledger';
import { notify } from '@unrut/ledger/notify/notify';
import { createSqliteLedger } from '@unrut/ledger/sqlite/create-sqlite-ledger';
import { recordInBackground } from '../mcp/record-in-background.ts';
import type { AcpGuard } from './acp-exchange.ts';

/** How long another writer of the ledger is waited for, in milliseconds. */
const WAIT = 1000;
/** If an agent shows only titles, different calls may look equal. */
const BY_TITLE: readonly Capability[] = ['note', 'hint'];

/** The guard of one agent, with its record. */
export function openAcpGuard(
  settings: Settings,
  name: string,
  shadow: boolean,
): AcpGuard & { close(): Promise<void> } {
  const open = (): Ledger => createSqliteLedger({ ...settings.ledger, wait: WAIT });
  const host = `acp ${name}`;
  // The user at the editor can be asked.
  const attended = settings.attended ?? true;
  const options = { ...guardOptions(settings), attended, ...(shadow ? { shadow } : {}) };
  const full = recordInBackground(open, options, { host });
  const byTitle = recordInBackground(open, { ...options, can: BY_TITLE }, { host });
  return {
    observe: (event, hasInputs) => (hasInputs ? full : byTitle).observe(event),
    told(plan, session) {
      if (plan.rung === 'escalate')
        notify(settings.notify, { plan, session, host, at: Date.now() });
    },
    now: Date.now,
    attended,
    fault: (error) => full.fault(host, error),
    async close() {
      await byTitle.close();
      await full.close();
    },
  };
}
