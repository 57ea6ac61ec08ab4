import type { AgentEvent } from '../event.ts';
import { createGuard, type GuardOptions, type Verdict } from '../guard.ts';
import type { Ledger, LedgerEntry } from '../ledger/ledger.ts';
import { entriesOf, type Origin } from '../ledger/record.ts';
import { toFault } from '../redact/to-fault.ts';

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

/** An entry, or what it will be made of. */
type Waiting = LedgerEntry | { event: AgentEvent; verdict: Verdict };

/**
 * Sessions that live in this process alone need no state in the ledger, so nothing is written, or even made ready, before an answer goes on
 * and a moment of silence has come. The ledger is opened for the first entry; without it the guard goes on.
 */
export function recordBehind(open: () => Ledger, options: GuardOptions, origin: Origin): GuardRecordedBehind {
  const guard = createGuard(options);
  const waiting: Waiting[] = [];
  let ledger: Ledger | undefined;
  let timer: NodeJS.Timeout | undefined;
  let since = 0;
  let events = 0;

  function keep(one: Waiting): void {
    if (waiting.push(one) > MOST_WAITING) waiting.shift();
    const now = performance.now();
    if (!timer) {
      since = now;
      timer = setTimeout(() => void flush(), SILENCE).unref();
    } else if (now - since < LONGEST_WAIT) timer.refresh();
  }

  async function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    if (waiting.length === 0) return;
    try {
      ledger ??= open();
      await ledger.append(
        waiting.splice(0).flatMap((one) => ('verdict' in one ? entriesOf(one.event, one.verdict, ++events, origin) : one)),
      );
    } catch {
      // Nobody is there who could be told.
    }
  }

  return {
    observe(event) {
      const verdict = guard.observe(event);
      keep({ event: withoutContent(event), verdict });
      return verdict;
    },
    fault(session, error) {
      const at = Date.now();
      keep({ id: `${session}/fault/${at}:${++events}`, session, at, kind: 'fault', step: 0, data: { ...toFault('mcp', error) } });
    },
    async close() {
      await flush();
      await ledger?.close().catch(() => undefined);
    },
  };
}

/** What is recorded of an event needs neither arguments nor results, which can be large. */
function withoutContent(event: AgentEvent): AgentEvent {
  if (event.type === 'call-finished') return { ...event, call: { ...event.call, args: null }, result: undefined, error: undefined };
  return event.type === 'call-proposed' ? { ...event, call: { ...event.call, args: null } } : event;
}
