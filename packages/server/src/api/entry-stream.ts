import { cut, printable } from '@unrut/engine/text/printable';
import { entryWords } from '@unrut/ledger/report/entry-text';
import { asRecorded } from '@unrut/ledger/reports/recorded-entry';
import type { EntryFeed, FedEntry } from '@unrut/ledger/reports/reports';
import type { StreamEntry } from './answers.ts';

/** Selects the entries that a listener wants. */
export type WantedEntries = (entry: FedEntry) => boolean;

/** Sends new entries to listeners, whichever process wrote them. */
export interface EntryStream {
  /**
   * A body of server-sent events; undefined if there are too many listeners. `after`: the position
   * of the listener's last entry.
   */
  listen(wanted: WantedEntries, after: string | undefined): ReadableStream<Uint8Array> | undefined;
  readonly listeners: number;
  /**
   * Ends all streams, with different reconnection times, so that clients do not reconnect at once.
   */
  close(): void;
}

/** Bounds of a stream. */
export interface StreamOptions {
  /** Max number of listeners. Default: 1,000. */
  most?: number;
  /** Max bytes queued for a listener before it is disconnected. Default: 256 KB. */
  patience?: number;
  /** Milliseconds between two signs of life. Default: 15,000. */
  beat?: number;
}

/**
 * Max entries per message, and max missed entries that a reconnecting listener receives; beyond it,
 * the stream reports a gap.
 */
const MAX_AT_ONCE = 1000;
const MAX_TEXT_LENGTH = 300;

/** Min milliseconds after which listeners of a stopping server reconnect. */
const SOONEST = 500;
const SPREAD = 4500;

const GAP = 'event: gap\ndata: {}\n\n';
const BEAT = ': beat\n\n';
const encoder = new TextEncoder();

type Listener = ReadableStreamDefaultController<Uint8Array>;

interface Listening {
  wanted: WantedEntries;
  /** The listener has received the entries that it had missed. */
  hasJoined: boolean;
}

/** Follows the ledger while there are listeners. All reads happen one after another. */
export function createEntryStream(
  feed: EntryFeed,
  { most = 1000, patience = 1 << 18, beat = 15_000 }: StreamOptions = {},
): EntryStream {
  const listeners = new Map<Listener, Listening>();
  let newest = '';
  let following: AbortController | undefined;
  let turn: Promise<void> = Promise.resolve();

  function drop(listener: Listener): void {
    if (!listeners.delete(listener)) return;
    try {
      listener.close();
    } catch {
      // It has gone by itself.
    }
    if (listeners.size > 0) return;
    following?.abort();
    following = undefined;
  }

  function dropAll(): void {
    for (const listener of [...listeners.keys()]) drop(listener);
  }

  /**
   * Serialises reads. If the ledger cannot be read, all streams end; reconnecting clients receive
   * the reason.
   */
  function inTurn(act: () => Promise<void>): Promise<void> {
    turn = turn.then(act).catch(dropAll);
    return turn;
  }

  function tell(listener: Listener, message: string | Uint8Array): void {
    if (!listeners.has(listener)) return;
    if ((listener.desiredSize ?? 0) <= 0) drop(listener);
    else listener.enqueue(typeof message === 'string' ? encoder.encode(message) : message);
  }

  /**
   * Queues the whole batch even if it exceeds a listener's limit: the limit applies to earlier
   * batches.
   */
  function pass(found: readonly FedEntry[], to: Iterable<[Listener, Listening]>): void {
    const messages = new Map<FedEntry, string>();
    /** Listeners with the same entries share the encoded bytes. */
    const bytes = new Map<string, Uint8Array>();
    for (const [listener, { wanted, hasJoined }] of [...to]) {
      const heard = hasJoined ? found.filter(wanted) : [];
      if (heard.length === 0) continue;
      const which = heard.map(({ place }) => place).join();
      for (const entry of heard) if (!messages.has(entry)) messages.set(entry, messageOf(entry));
      const shared =
        bytes.get(which) ?? encoder.encode(heard.map((entry) => messages.get(entry)).join(''));
      bytes.set(which, shared);
      tell(listener, shared);
    }
  }

  async function look(): Promise<void> {
    const found = await feed.after(newest, MAX_AT_ONCE + 1);
    pass(found?.slice(0, MAX_AT_ONCE) ?? [], listeners);
    newest = found?.at(-1)?.place ?? newest;
    if (found && found.length <= MAX_AT_ONCE) return;
    newest = await feed.newest();
    for (const [listener, { hasJoined }] of [...listeners]) if (hasJoined) tell(listener, GAP);
  }

  async function follow({ signal }: AbortController): Promise<void> {
    const beating = setInterval(() => {
      for (const listener of [...listeners.keys()]) tell(listener, BEAT);
    }, beat);
    try {
      for await (const _ of feed.turns(signal)) await inTurn(look);
    } catch {
      dropAll();
    } finally {
      clearInterval(beating);
    }
  }

  async function join(listener: Listener, after: string | undefined): Promise<void> {
    const joining = listeners.get(listener);
    if (!joining) return;
    if (!following) {
      newest = await feed.newest();
      following = new AbortController();
      void follow(following);
    }
    tell(listener, `retry: 2000\n: ${listeners.size} listening\n\n`);
    joining.hasJoined = true;
    if (after === undefined) return;
    const found = await feed.after(after, MAX_AT_ONCE + 1);
    const missed = found?.filter(({ place }) => !feed.isAfter(place, newest));
    if (!missed || missed.length > MAX_AT_ONCE || feed.isAfter(after, newest)) tell(listener, GAP);
    else pass(missed, [[listener, joining]]);
  }

  return {
    listen(wanted, after) {
      if (listeners.size >= most) return undefined;
      let self: Listener;
      return new ReadableStream<Uint8Array>(
        {
          start(controller) {
            self = controller;
            listeners.set(controller, { wanted, hasJoined: false });
            void inTurn(() => join(controller, after));
          },
          cancel: () => drop(self),
        },
        new ByteLengthQueuingStrategy({ highWaterMark: patience }),
      );
    },
    get listeners() {
      return listeners.size;
    },
    close() {
      for (const listener of [...listeners.keys()]) {
        tell(listener, `retry: ${Math.round(SOONEST + Math.random() * SPREAD)}\n\n`);
        drop(listener);
      }
    },
  };
}

function messageOf({ place, ...entry }: FedEntry): string {
  const told: StreamEntry = {
    ...entry,
    text: cut(printable(entryWords(asRecorded(entry))), MAX_TEXT_LENGTH),
  };
  return `event: entry\nid: ${place}\ndata: ${JSON.stringify(told)}\n\n`;
}
