import type { AgentEvent } from '../event.ts';
import { toFault } from '../fault.ts';
import { createGuard, type GuardOptions, type Verdict } from '../guard.ts';
import type { Ledger, LedgerEntry } from '../ledger/ledger.ts';
import { entriesOf, type Origin } from '../ledger/record.ts';

/** A guard that answers at once and is recorded a moment later. */
export interface GuardRecordedBehind {
  /** As `guard.observe`. */
  observe(event: AgentEvent): Verdict;
  /** Records what went wrong. Never throws. */
  fault(session: string, error: unknown): void;
  /** Writes what has not been written yet, and closes the ledger. Never throws. */
  close(): Promise<void>;
}

/** How long an entry may wait, in milliseconds: what a crash may lose. */
const DELAY = 1000;
/** A ledger that fails for long costs the oldest entries, not memory. */
const MOST_WAITING = 20_000;

/**
 * Sessions that live in this process alone need no state in the ledger, so nothing is written before an answer goes on. The ledger is
 * opened for the first entry; without it the guard goes on.
 */
export function recordBehind(open: () => Promise<Ledger>, options: GuardOptions, origin: Origin): GuardRecordedBehind {
  const guard = createGuard(options);
  const waiting: LedgerEntry[] = [];
  let ledger: Promise<Ledger> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let events = 0;

  function keep(entries: readonly LedgerEntry[]): void {
    waiting.push(...entries);
    if (waiting.length > MOST_WAITING) waiting.splice(0, waiting.length - MOST_WAITING);
    timer ??= setTimeout(() => void flush(), DELAY).unref();
  }

  async function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    const entries = waiting.splice(0);
    if (entries.length === 0) return;
    try {
      ledger ??= open();
      await (await ledger).append(entries);
    } catch {
      // Nobody is there who could be told; the next entries try again.
      ledger = undefined;
    }
  }

  function fault(session: string, error: unknown): void {
    const at = Date.now();
    keep([{ id: `${session}/fault/${at}:${++events}`, session, at, kind: 'fault', step: 0, data: { ...toFault('mcp', error) } }]);
  }

  return {
    observe(event) {
      const verdict = guard.observe(event);
      try {
        keep(entriesOf(event, verdict, ++events, origin));
      } catch (error) {
        fault(event.session, error);
      }
      return verdict;
    },
    fault,
    async close() {
      await flush();
      await (await ledger?.catch(() => undefined))?.close().catch(() => undefined);
    },
  };
}
