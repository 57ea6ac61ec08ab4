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
/** Turns of the event loop to wait for more requests: together a fraction of what a step of the ledger takes. */
const MOST_TURNS = 20;

/** What arrives while the ledger is busy is recorded in one step. One step at a time, in the order of arrival. */
export function recordTogether(ledger: Ledger): RecordEvents {
  const guards = createKeptGuards(MOST_GUARDS);
  const waiting: Waiting[] = [];
  let isRunning = false;

  async function run(): Promise<void> {
    isRunning = true;
    while (waiting.length > 0) {
      for (let turns = 0, before = 0; turns < MOST_TURNS && waiting.length > before; turns++) {
        before = waiting.length;
        await new Promise((resolve) => setImmediate(resolve));
      }
      const group = waiting.splice(0, sizeOfGroup(waiting));
      try {
        const events = group.flatMap((each) => each.events);
        const verdicts = await recordEvents(events, { ledger, guards, options: group[0]!.options });
        for (const { events, resolve } of group) resolve(verdicts.splice(0, events.length));
      } catch (error) {
        for (const { reject } of group) reject(error);
      }
    }
    isRunning = false;
  }

  return (events, options) =>
    new Promise((resolve, reject) => {
      if (events.length === 0) return resolve([]);
      waiting.push({ events, options, resolve, reject });
      if (!isRunning) void run();
    });
}

/** The first, and as many after it as are judged by the same rules and fit into one step. */
function sizeOfGroup(waiting: readonly Waiting[]): number {
  let count = 0;
  const end = waiting.findIndex(({ events, options }, i) => {
    count += events.length;
    return i > 0 && (options !== waiting[0]!.options || count > MOST_EVENTS);
  });
  return end < 0 ? waiting.length : end;
}
