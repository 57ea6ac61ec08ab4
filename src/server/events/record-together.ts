import type { AgentEvent } from '../../event.ts';
import type { GuardOptions } from '../../guard.ts';
import { createKeptGuards } from '../../hook/kept-guards.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { recordEvents } from './record-events.ts';
import type { RecordedVerdict } from './recorded-verdict.ts';

/** Records events, and says what the guard thinks of each once they are kept. Throws when they could not be kept: then none of them counts. */
export type Record = (events: readonly AgentEvent[], options: GuardOptions) => Promise<RecordedVerdict[]>;

interface Waiting {
  events: readonly AgentEvent[];
  options: GuardOptions;
  resolve(verdicts: RecordedVerdict[]): void;
  reject(error: unknown): void;
}

/** Some 100 KB each. */
const MOST_GUARDS = 1000;
/** Events in one step of the ledger, so that other processes never wait for long. */
const MOST_EVENTS = 1000;

/** What arrives together, or while the ledger is busy, is recorded in one step of the ledger. */
export function recordTogether(ledger: Ledger): Record {
  const guards = createKeptGuards(MOST_GUARDS);
  let waiting: Waiting[] = [];
  let isBusy = false;

  /** Those at the front that are judged by the same rules. */
  function next(): Waiting[] {
    const { options } = waiting[0]!;
    let count = 0;
    const end = waiting.findIndex((each, i) => each.options !== options || ((count += each.events.length) > MOST_EVENTS && i > 0));
    const group = end < 0 ? waiting : waiting.slice(0, end);
    waiting = waiting.slice(group.length);
    return group;
  }

  async function recordNext(): Promise<void> {
    const group = next();
    try {
      const events = group.flatMap((each) => each.events);
      const verdicts = await recordEvents(events, { ledger, guards, options: group[0]!.options });
      let from = 0;
      for (const { events, resolve } of group) resolve(verdicts.slice(from, (from += events.length)));
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
    if (waiting.length > 0) setImmediate(recordNext);
    else isBusy = false;
  }

  return (events, options) =>
    new Promise((resolve, reject) => {
      waiting.push({ events, options, resolve, reject });
      if (isBusy) return;
      isBusy = true;
      // Requests that have arrived by now are read before that.
      setImmediate(recordNext);
    });
}
