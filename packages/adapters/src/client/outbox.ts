import { type ClientVerdict, noVerdict } from './client-verdict.ts';
import { type Destination, sendEvents } from './send-events.ts';

/** An event on its way. */
export interface OutgoingEvent {
  json: string;
  /** Events of one family go together and in order; other families are sent in parallel. */
  family: string;
  /** A piece of streamed text: it waits for others for a moment. */
  isPiece: boolean;
}

/** Holds events until the server has accepted them, in order within each family. */
export interface Outbox {
  /**
   * Adds an event. Returns its verdict, or an empty one with a fault as soon as the server is known
   * to be away.
   */
  send(event: OutgoingEvent): Promise<ClientVerdict>;
  /** Tries now. Returns the number of events that are still waiting. */
  flush(): Promise<number>;
  /** Tries no more by itself. */
  stop(): void;
  waiting(): number;
  dropped(): number;
}

interface Item extends OutgoingEvent {
  settle(verdict: ClientVerdict): void;
}

/** Max number of events per request: the server accepts ten times as many. */
const MAX_AT_ONCE = 100;
const MAX_CHARACTERS = 1 << 20;
const MAX_PAUSE = 30_000;
/** Requests at once, each of another family. */
const MAX_REQUESTS = 8;
/** Milliseconds: the server keeps a state per request, and a person reads no faster. */
const GATHERING = 250;

/**
 * Events that come while a request of their family is under way go together with its next; one that
 * fails is tried again after a pause.
 */
export function createOutbox({
  destination,
  most,
  pause,
}: {
  destination: Destination;
  most: number;
  pause: number;
}): Outbox {
  let items: Item[] = [];
  /** Running requests by family. */
  const underWay = new Map<string, { batch: Item[]; sending: Promise<void> }>();
  let dropped = 0;
  let failures = 0;
  let why = '';
  /** Runs while the server is known to be away. */
  let retry: ReturnType<typeof setTimeout> | undefined;
  let gathering: ReturnType<typeof setTimeout> | undefined;

  function drop(lost: readonly Item[], reason: string): void {
    dropped += lost.length;
    for (const { settle } of lost) settle(noVerdict('client', reason));
  }

  function trim(): void {
    if (items.length > most)
      drop(
        items.splice(0, items.length - most),
        `More than ${most} events are waiting, so this one was dropped.`,
      );
  }

  /**
   * The first events of the first family without a running request, up to the size of a request.
   */
  function take(): Item[] {
    const family = items.find((item) => !underWay.has(item.family))?.family;
    const batch: Item[] = [];
    if (family === undefined) return batch;
    let characters = 0;
    for (const item of items) {
      if (item.family !== family) continue;
      characters += item.json.length;
      if (batch.length === MAX_AT_ONCE || (batch.length > 0 && characters > MAX_CHARACTERS)) break;
      batch.push(item);
    }
    const taken = new Set(batch);
    items = items.filter((item) => !taken.has(item));
    return batch;
  }

  function later(batch: readonly Item[], fault: string): void {
    items = [...batch, ...items];
    why = `${fault} ${items.length} events are kept and sent later.`;
    // Callers get an answer immediately; the events are sent later.
    for (const { settle } of items) settle(noVerdict('client', why));
    trim();
    if (retry !== undefined) return;
    retry = unreferenced(
      () => {
        retry = undefined;
        start();
      },
      Math.min(MAX_PAUSE, pause * 2 ** failures++),
    );
  }

  async function sendBatch(batch: readonly Item[]): Promise<void> {
    const [{ family }] = batch as [Item];
    const sent = await sendEvents(
      batch.map(({ json }) => json),
      family,
      destination,
    );
    underWay.delete(family);
    if ('fault' in sent && sent.again) return later(batch, sent.fault);
    failures = 0;
    if ('fault' in sent) drop(batch, sent.fault);
    else for (const [i, { settle }] of batch.entries()) settle(sent.verdicts[i]!);
    if (retry === undefined && (gathering === undefined || items.some((item) => !item.isPiece)))
      start();
  }

  /** Sends what can be sent. */
  function start(): void {
    clearTimeout(gathering);
    gathering = undefined;
    while (underWay.size < MAX_REQUESTS) {
      const batch = take();
      if (batch.length === 0) return;
      underWay.set(batch[0]!.family, { batch, sending: sendBatch(batch) });
    }
  }

  return {
    send(event) {
      if (retry !== undefined) {
        items.push({ ...event, settle: () => {} });
        trim();
        return Promise.resolve(noVerdict('client', why));
      }
      return new Promise((settle) => {
        items.push({ ...event, settle });
        trim();
        if (!event.isPiece) start();
        else gathering ??= unreferenced(start, GATHERING);
      });
    },
    async flush() {
      clearTimeout(retry);
      retry = undefined;
      start();
      while (underWay.size > 0)
        await Promise.all([...underWay.values()].map(({ sending }) => sending));
      return items.length;
    },
    stop() {
      clearTimeout(retry);
      clearTimeout(gathering);
    },
    waiting: () =>
      items.length + [...underWay.values()].reduce((sum, { batch }) => sum + batch.length, 0),
    dropped: () => dropped,
  };
}

/** A timer that keeps no process of Node alive. */
function unreferenced(act: () => void, milliseconds: number): ReturnType<typeof setTimeout> {
  const timer = setTimeout(act, milliseconds);
  (timer as { unref?(): void }).unref?.();
  return timer;
}
