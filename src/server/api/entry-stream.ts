import { asRecorded } from '../../ledger/reports/recorded-entry.ts';
import { entryWords } from '../../report/entry-text.ts';
import { cut, printable } from '../../text/printable.ts';
import { ledgerChanges } from '../../views/ledger-changes.ts';
import type { LedgerRow } from '../../views/ledger-rows.ts';
import type { StreamEntry } from './answers.ts';
import type { LedgerReading } from './reading.ts';

/** Which entries somebody wants to hear of. */
export type WantedEntries = (row: LedgerRow) => boolean;

/** Tells listeners of new entries, whoever wrote them on this machine. */
export interface EntryStream {
  /** A body of server-sent events, or nothing when too many listen already. `after` is the place of the last entry that is known. */
  listen(wanted: WantedEntries, after: number | undefined): ReadableStream<Uint8Array> | undefined;
  readonly listeners: number;
  /** Ends all of them; each is told to come back at a moment of its own, so that not all come at once. */
  close(): void;
}

/** Bounds of a stream. */
export interface StreamOptions {
  /** Listeners at once. Default: 1,000. */
  most?: number;
  /** Bytes that may wait for a listener before it is dropped. Default: 256 KB. */
  patience?: number;
  /** Milliseconds between two signs of life. Default: 15,000. */
  beat?: number;
}

/** Entries that are told of at once, and that a listener who comes back can have missed. What is beyond is a gap. */
const MAX_AT_ONCE = 1000;
const MAX_TEXT_LENGTH = 300;

/** Milliseconds after which listeners of a server that ends come back to another. */
const SOONEST = 500;
const SPREAD = 4500;

const GAP = 'event: gap\ndata: {}\n\n';
const BEAT = ': beat\n\n';
const encoder = new TextEncoder();

type Listener = ReadableStreamDefaultController<Uint8Array>;

/** Begins to follow the ledger with the first listener, and stops with the last. */
export function createEntryStream(
  reading: LedgerReading,
  { most = 1000, patience = 1 << 18, beat = 15_000 }: StreamOptions = {},
): EntryStream {
  const listeners = new Map<Listener, WantedEntries>();
  const { rows } = reading;
  let newest: { sequence: number; id?: string } = { sequence: 0 };
  let following: AbortController | undefined;

  function drop(listener: Listener): void {
    if (!listeners.delete(listener)) return;
    try {
      listener.close();
    } catch {
      // It has gone by itself.
    }
    if (listeners.size === 0) following?.abort();
  }

  function tell(listener: Listener, message: string | Uint8Array): void {
    if (!listeners.has(listener)) return;
    if ((listener.desiredSize ?? 0) <= 0) drop(listener);
    else listener.enqueue(typeof message === 'string' ? encoder.encode(message) : message);
  }

  /** All at once: a listener may be behind by what it was told last, not by more. */
  function pass(found: readonly LedgerRow[], to: Iterable<[Listener, WantedEntries]>): void {
    const messages = new Map<LedgerRow, string>();
    /** Those who hear the same share its bytes. */
    const bytes = new Map<string, Uint8Array>();
    for (const [listener, wanted] of [...to]) {
      const heard = found.filter(wanted);
      if (heard.length === 0) continue;
      const which = heard.map(({ sequence }) => sequence).join();
      for (const row of heard) if (!messages.has(row)) messages.set(row, messageOf(row));
      const shared = bytes.get(which) ?? encoder.encode(heard.map((row) => messages.get(row)).join(''));
      bytes.set(which, shared);
      tell(listener, shared);
    }
  }

  function look(): void {
    const isGone = rows.last() < newest.sequence || (newest.id !== undefined && !rows.has(newest.sequence, newest.id));
    const found = isGone ? [] : rows.after(newest.sequence, MAX_AT_ONCE);
    const isTooMuch = found.length === MAX_AT_ONCE && rows.last() > found.at(-1)!.sequence;
    pass(found, listeners);
    newest = found.at(-1) ?? newest;
    if (!isGone && !isTooMuch) return;
    newest = { sequence: rows.last() };
    for (const listener of [...listeners.keys()]) tell(listener, GAP);
  }

  async function follow({ signal }: AbortController): Promise<void> {
    const beating = setInterval(() => {
      for (const listener of [...listeners.keys()]) tell(listener, BEAT);
    }, beat);
    try {
      for await (const _ of ledgerChanges(reading.path, signal)) look();
    } catch {
      // A ledger that cannot be read ends the streams; listeners come back and are told why.
      for (const listener of [...listeners.keys()]) drop(listener);
    } finally {
      clearInterval(beating);
    }
  }

  function join(listener: Listener, wanted: WantedEntries, after: number | undefined): void {
    if (listeners.size === 0) {
      newest = { sequence: rows.last() };
      following = new AbortController();
      void follow(following);
    }
    listeners.set(listener, wanted);
    tell(listener, `retry: 2000\n: ${listeners.size} listening\n\n`);
    if (after === undefined) return;
    const missed = rows.after(after, MAX_AT_ONCE + 1).filter(({ sequence }) => sequence <= newest.sequence);
    if (after > newest.sequence || missed.length > MAX_AT_ONCE) tell(listener, GAP);
    else pass(missed, [[listener, wanted]]);
  }

  return {
    listen(wanted, after) {
      if (listeners.size >= most) return undefined;
      let self: Listener;
      return new ReadableStream<Uint8Array>(
        {
          start(controller) {
            self = controller;
            join(controller, wanted, after);
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

function messageOf({ sequence, ...entry }: LedgerRow): string {
  const told: StreamEntry = { ...entry, text: cut(printable(entryWords(asRecorded(entry))), MAX_TEXT_LENGTH) };
  return `event: entry\nid: ${sequence}\ndata: ${JSON.stringify(told)}\n\n`;
}
