import { readFileSync, statSync } from 'node:fs';
import type { Capability } from '@unrut/engine/event';
import { guardOptions } from '@unrut/ledger/config/guard-options';
import type { Settings } from '@unrut/ledger/config/settings';
import { learnedIn } from '@unrut/ledger/learned';
import type { Ledger } from '@unrut/ledger/ledger';
import { toOperator } from '@unrut/ledger/more-about';
import { notify, tellsSomebody } from '@unrut/ledger/notify/notify';
import { createSqliteLedger } from '@unrut/ledger/sqlite/create-sqlite-ledger';
import { type KnownTools, McpConversation } from './conversation.ts';
import { recordInBackground } from './record-in-background.ts';
import type { Notes } from './write-note.ts';

export interface ProxyOptions {
  settings: Settings;
  /** The server's name, for the record. */
  name: string;
  /** `auto`: as the client needs it, by its name. */
  notes: Notes | 'auto';
  /** The server runs here, so that files which its results link to can be read. */
  isLocal: boolean;
  /** Record only, whatever the settings say. */
  shadow: boolean;
  /** Next moves at the first failure of a known kind already. */
  hintFailures: boolean;
  /** Writes a line to the client's log. */
  log(line: string): void;
}

/** The guard of one proxied server, with its record. */
export interface ProxyGuard {
  /** A client's calls from now on. */
  converse(session: string): McpConversation;
  /** Writes the rest of the record. Never throws. */
  close(): Promise<void>;
}

/** A proxy can neither stop the agent nor act in its place. */
const CAN: readonly Capability[] = ['note', 'hint', 'block', 'escalate'];
/** How long another writer of the ledger is waited for, in milliseconds. */
const WAIT = 1000;

/**
 * Begins with what earlier sessions have taught. A ledger that cannot be used is no reason not to
 * serve.
 */
export async function openProxyGuard({
  settings,
  name,
  notes,
  isLocal,
  shadow,
  hintFailures,
  log,
}: ProxyOptions): Promise<ProxyGuard> {
  let ledger: Ledger | undefined;
  const open = (): Ledger => (ledger ??= createSqliteLedger({ ...settings.ledger, wait: WAIT }));
  const options = {
    ...guardOptions(settings),
    can: CAN,
    // Neither the agent's own tools nor other servers are seen here.
    partial: true,
    learned: await learned(open),
    // The proxy has no user, so somebody can be asked only through notifications.
    attended: settings.attended ?? tellsSomebody(settings.notify),
    ...(shadow ? { shadow } : {}),
    ...(hintFailures ? { hintFailures } : {}),
  };
  const host = `mcp ${name}`;
  const guard = recordInBackground(open, options, { host });
  const tools: KnownTools = new Map();
  return {
    converse: (session) =>
      new McpConversation({
        session,
        tools,
        notes,
        ...(isLocal ? { readLinked } : {}),
        now: Date.now,
        fault: guard.fault,
        observe(event) {
          const verdict = guard.observe(event);
          if (verdict.plan?.rung === 'escalate') {
            log(toOperator(verdict.plan));
            notify(settings.notify, { plan: verdict.plan, session, host, at: event.at });
          }
          return verdict;
        },
      }),
    close: guard.close,
  };
}

const MAX_LINKED = 1 << 20;

/**
 * The text of a snapshot that a server wrote to a file. Server and proxy share a working folder.
 */
function readLinked(path: string): string | undefined {
  try {
    const { size } = statSync(path);
    return /\.ya?ml$/.test(path) && size <= MAX_LINKED ? readFileSync(path, 'utf8') : undefined;
  } catch {
    return undefined;
  }
}

async function learned(open: () => Ledger): Promise<Record<string, number>> {
  try {
    return await learnedIn(open());
  } catch {
    return {};
  }
}
