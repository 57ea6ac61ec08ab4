import type { Json } from '../event.ts';
import type { Ledger, LedgerEntry, LedgerSession } from './ledger.ts';

export interface MemoryLedgerOptions {
  /** Entries kept, the oldest out first. Default: 100,000. */
  most?: number;
  /** Sessions whose state is kept, the least recently saved out first. Default: 10,000. */
  states?: number;
}

/** A ledger for one process: tests, scans, embedded use. */
export function createMemoryLedger({ most = 100_000, states: mostStates = 10_000 }: MemoryLedgerOptions = {}): Ledger {
  const entries = new Map<string, LedgerEntry>();
  const states = new Map<string, string>();

  return {
    async append(added) {
      for (const entry of added) if (!entries.has(entry.id)) entries.set(entry.id, structuredClone(entry));
      for (const id of entries.keys()) {
        if (entries.size <= most) break;
        entries.delete(id);
      }
    },

    async entries({ session, kind, since, last } = {}) {
      const found = [...entries.values()].filter(
        (entry) =>
          (session === undefined || entry.session === session) &&
          (kind === undefined || entry.kind === kind) &&
          (since === undefined || entry.at >= since),
      );
      found.sort((a, b) => a.at - b.at);
      return structuredClone(last === undefined ? found : found.slice(Math.max(0, found.length - last)));
    },

    async sessions() {
      const found = new Map<string, LedgerSession>();
      for (const { session, at, kind } of entries.values()) {
        const summary = found.get(session) ?? { session, first: at, last: at, events: 0, signals: 0 };
        summary.first = Math.min(summary.first, at);
        summary.last = Math.max(summary.last, at);
        if (kind === 'event') summary.events++;
        if (kind === 'signal') summary.signals++;
        found.set(session, summary);
      }
      return [...found.values()].sort((a, b) => b.last - a.last);
    },

    async loadState(session) {
      const state = states.get(session);
      return state === undefined ? null : (JSON.parse(state) as Json);
    },

    async saveState(session, state) {
      states.delete(session);
      states.set(session, JSON.stringify(state));
      if (states.size > mostStates) states.delete(states.keys().next().value!);
    },

    async forget(session) {
      if (session === undefined) {
        entries.clear();
        states.clear();
        return;
      }
      states.delete(session);
      for (const [id, entry] of entries) if (entry.session === session) entries.delete(id);
    },

    async close() {},
  };
}
