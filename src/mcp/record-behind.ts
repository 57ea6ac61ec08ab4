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

/** Milliseconds of silence after which entries are written, and how long they wait at most: what a crash may lose. */
const SILENCE = 100;
const LONGEST_WAIT = 2000;
/** While the ledger cannot be opened, the oldest go. */
const MOST_WAITING = 20_000;

/**
 * Sessions that live in this process alone need no state in the ledger, so nothing is written before an answer goes on. The ledger is
 * opened for the first entry; without it the guard goes on.
 */
export function recordBehind(open: () => Promise<Ledger>, options: GuardOptions, origin: Origin): GuardRecordedBehind {
  const guard = createGuard(options);
  const unread: [AgentEvent, Verdict][] = [];
  const waiting: LedgerEntry[] = [];
  let ledger: Ledger | undefined;
  let timer: NodeJS.Timeout | undefined;
  let since: number | undefined;
  let events = 0;

  /** Makes entries of what was observed, once the answer is on its way. */
  function readOn(): void {
    for (const [event, verdict] of unread.splice(0)) {
      try {
        keep(entriesOf(event, verdict, ++events, origin));
      } catch (error) {
        fault(event.session, error);
      }
    }
  }

  function keep(entries: readonly LedgerEntry[]): void {
    waiting.push(...entries);
    if (waiting.length > MOST_WAITING) waiting.splice(0, waiting.length - MOST_WAITING);
    const now = performance.now();
    since ??= now;
    if (timer && now - since + SILENCE < LONGEST_WAIT) timer.refresh();
    timer ??= setTimeout(() => void flush(), SILENCE).unref();
  }

  async function flush(): Promise<void> {
    readOn();
    clearTimeout(timer);
    timer = undefined;
    since = undefined;
    if (waiting.length === 0) return;
    try {
      ledger ??= await open();
      await ledger.append(waiting.splice(0));
    } catch {
      // Nobody is there who could be told.
    }
  }

  function fault(session: string, error: unknown): void {
    const at = Date.now();
    keep([{ id: `${session}/fault/${at}:${++events}`, session, at, kind: 'fault', step: 0, data: { ...toFault('mcp', error) } }]);
  }

  return {
    observe(event) {
      const verdict = guard.observe(event);
      if (unread.push([event, verdict]) === 1) setImmediate(readOn);
      return verdict;
    },
    fault,
    async close() {
      await flush();
      await ledger?.close().catch(() => undefined);
    },
  };
}
