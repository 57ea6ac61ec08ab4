import { type ClientVerdict, noVerdict } from './client-verdict.ts';
import { type Destination, sendEvents } from './send-events.ts';

/** Where events wait until the server has taken them, in order. */
export interface Outbox {
  /** Adds an event. Gives its verdict, or an empty one with a fault as soon as the server is known to be away. */
  send(event: string): Promise<ClientVerdict>;
  /** Tries now. Gives the number of events that are still waiting. */
  flush(): Promise<number>;
  /** Tries no more by itself. */
  stop(): void;
  waiting(): number;
  dropped(): number;
}

interface Item {
  event: string;
  settle(verdict: ClientVerdict): void;
}

/** Of one request: the server takes ten times as many. */
const MAX_AT_ONCE = 100;
const MAX_CHARACTERS = 1 << 20;
const MAX_PAUSE = 30_000;

/** Events that come while a request is under way go together with the next; one that fails is tried again after a pause. */
export function createOutbox({ destination, most, pause }: { destination: Destination; most: number; pause: number }): Outbox {
  let items: Item[] = [];
  let underWay: Item[] = [];
  let dropped = 0;
  let failures = 0;
  let why = '';
  let isSending = false;
  let sending: Promise<void> = Promise.resolve();
  let timer: ReturnType<typeof setTimeout> | undefined;

  function drop(lost: readonly Item[], reason: string): void {
    dropped += lost.length;
    for (const { settle } of lost) settle(noVerdict('client', reason));
  }

  function trim(): void {
    if (items.length > most) drop(items.splice(0, items.length - most), `More than ${most} events are waiting, so this one was dropped.`);
  }

  /** From the front, so many that a request stays small. */
  function take(): Item[] {
    let characters = 0;
    let end = 0;
    for (const { event } of items.slice(0, MAX_AT_ONCE)) {
      characters += event.length;
      if (end > 0 && characters > MAX_CHARACTERS) break;
      end++;
    }
    return items.splice(0, end);
  }

  function later(fault: string): void {
    items = [...underWay, ...items];
    underWay = [];
    why = `${fault} ${items.length} events are kept and sent later.`;
    // Nobody waits longer than it takes to know.
    for (const { settle } of items) settle(noVerdict('client', why));
    trim();
    const wait = Math.min(MAX_PAUSE, pause * 2 ** failures++);
    timer = setTimeout(start, wait);
    // It keeps no process of Node alive.
    (timer as { unref?(): void }).unref?.();
  }

  /** Until nothing is left, or the server is away. */
  async function sendAll(): Promise<void> {
    isSending = true;
    while (items.length > 0) {
      underWay = take();
      const events = underWay.map(({ event }) => event);
      const sent = await sendEvents(events, destination);
      if ('fault' in sent && sent.again) {
        later(sent.fault);
        break;
      }
      failures = 0;
      if ('fault' in sent) drop(underWay, sent.fault);
      else for (const [i, { settle }] of underWay.entries()) settle(sent.verdicts[i]!);
      underWay = [];
    }
    isSending = false;
  }

  function start(): Promise<void> {
    clearTimeout(timer);
    if (!isSending) sending = sendAll();
    return sending;
  }

  return {
    send(event) {
      if (failures > 0) {
        items.push({ event, settle: () => {} });
        trim();
        return Promise.resolve(noVerdict('client', why));
      }
      return new Promise((settle) => {
        items.push({ event, settle });
        trim();
        void start();
      });
    },
    async flush() {
      await start();
      return items.length;
    },
    stop: () => clearTimeout(timer),
    waiting: () => items.length + underWay.length,
    dropped: () => dropped,
  };
}
