import type { AgentEvent } from '@unrut/engine/event';
import type { GuardOptions, Verdict } from '@unrut/engine/guard';
import { toFault } from '@unrut/engine/redact/to-fault';
import { daySumSince } from '@unrut/ledger/day-spending';
import type { Ledger } from '@unrut/ledger/ledger';
import type { Origin } from '@unrut/ledger/record';
import { createRecorder } from '@unrut/ledger/recorder';

/** A guard that answers at once and is recorded a moment later. */
export interface BackgroundRecorder {
  /** As `guard.observe`. */
  observe(event: AgentEvent): Verdict;
  /** Records what went wrong. Never throws. */
  fault(session: string, error: unknown): void;
  /** Writes the remaining entries, and closes the ledger. Never throws. */
  close(): Promise<void>;
}

/**
 * Milliseconds of silence after which entries are written, and how long they wait at most: what a
 * crash may lose.
 */
const SILENCE = 100;
const MAX_WAIT = 2000;

/**
 * Sessions of this process only need no state in the ledger, so writing is delayed until answers
 * were sent and there is a moment of silence. The ledger is opened for the first entry; if that
 * fails, the guard continues.
 */
export function recordInBackground(
  open: () => Ledger,
  options: GuardOptions,
  origin: Origin,
): BackgroundRecorder {
  let ledger: Ledger | undefined;
  const opened = (): Ledger => {
    ledger ??= open();
    return ledger;
  };
  const recorder = createRecorder(
    {
      update: async (...given) => opened().update(...given),
      entries: async (query) => opened().entries(query),
      spentSince: async (since) => daySumSince(opened(), since),
      isShown: true,
    },
    options,
  );
  let timer: NodeJS.Timeout | undefined;
  let since = 0;
  let faults = 0;

  function flushSoon(): void {
    const now = performance.now();
    if (!timer) {
      since = now;
      timer = setTimeout(() => void flush(), SILENCE).unref();
    } else if (now - since < MAX_WAIT) timer.refresh();
  }

  async function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    // Nobody can be notified; the next write tries again.
    await recorder.flush().catch(() => undefined);
  }

  return {
    observe(event) {
      const verdict = recorder.observeNow(event, origin);
      flushSoon();
      return verdict;
    },
    fault(session, error) {
      const at = Date.now();
      const id = `${session}/fault/${at}:${++faults}`;
      recorder.addLater([
        { id, session, at, kind: 'fault', step: 0, data: { ...toFault('mcp', error) } },
      ]);
      flushSoon();
    },
    async close() {
      await flush();
      await ledger?.close().catch(() => undefined);
    },
  };
}
