import type { AgentEvent } from '../../event.ts';
import type { GuardOptions } from '../../guard.ts';
import { createKeptGuards } from '../../hook/kept-guards.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { recordEvents } from './record-events.ts';
import type { RecordedVerdict } from './recorded-verdict.ts';

/** Records events, and says what the guard thinks of each once they are kept. Throws when they could not be kept: then none of them counts. */
export type RecordEvents = (events: readonly AgentEvent[], options: GuardOptions) => Promise<RecordedVerdict[]>;

interface Waiting {
  events: readonly AgentEvent[];
  options: GuardOptions;
  resolve(verdicts: RecordedVerdict[]): void;
  reject(error: unknown): void;
}

/** Some 300 KB each. */
const MOST_GUARDS = 1000;
/** Events in one step of the ledger, so that other processes never wait for long. */
const MOST_EVENTS = 1000;
/** Of the event loop, while requests come in: a fraction of what a step of the ledger takes. */
const MOST_TURNS = 20;

/** What arrives together, or while the ledger is busy, is recorded in one step of the ledger. */
export function recordTogether(ledger: Ledger): RecordEvents {
  const guards = createKeptGuards(MOST_GUARDS);
  const waiting: Waiting[] = [];
  let isBusy = false;

  /** Those at the front that are judged by the same rules, as many as one step may have. */
  function next(): Waiting[] {
    const { options } = waiting[0]!;
    let count = 0;
    let end = 0;
    for (const each of waiting) {
      count += each.events.length;
      if (end > 0 && (each.options !== options || count > MOST_EVENTS)) break;
      end++;
    }
    return waiting.splice(0, end);
  }

  async function recordNext(): Promise<void> {
    const group = next();
    try {
      const events = group.flatMap((each) => each.events);
      const verdicts = await recordEvents(events, { ledger, guards, options: group[0]!.options });
      for (const { events, resolve } of group) resolve(verdicts.splice(0, events.length));
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
    isBusy = waiting.length > 0;
    if (isBusy) gather();
  }

  /** Goes on as long as every turn of the event loop brings more: a request takes some turns to arrive, and a step of the ledger costs many. */
  function gather(turns = 0): void {
    const before = waiting.length;
    setImmediate(() => {
      if (waiting.length > before && turns < MOST_TURNS) gather(turns + 1);
      else void recordNext();
    });
  }

  return (events, options) =>
    new Promise((resolve, reject) => {
      if (events.length === 0) return resolve([]);
      waiting.push({ events, options, resolve, reject });
      if (isBusy) return;
      isBusy = true;
      gather();
    });
}
