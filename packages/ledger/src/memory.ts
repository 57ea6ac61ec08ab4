import type { Json } from '@unrut/engine/event';
import { keepIn } from '@unrut/engine/recent';
import { jsonTextOf } from './json-text.ts';
import type { ContextEntry, Ledger, LedgerChange, LedgerEntry, SavedState } from './ledger.ts';
import { spanOf } from './ledger-entry.ts';
import { RepeatedEntry } from './repeated-entry.ts';

export interface MemoryLedgerOptions {
  /**
   * Max number of entries, and of context entries; the oldest are dropped first. Default: 100,000.
   */
  most?: number;
  /** Max number of saved states; the least recently saved are dropped first. Default: 10,000. */
  states?: number;
}

/** A ledger for one process: tests, scans, embedded use. */
export function createMemoryLedger({
  most = 100_000,
  states: mostStates = 10_000,
}: MemoryLedgerOptions = {}): Ledger {
  const entries = new Map<string, LedgerEntry>();
  const context = new Map<string, ContextEntry>();
  const states = new Map<string, { version: number; state: string }>();
  let saves = 0;

  function savedOf(session: string): SavedState {
    const { version, state } = states.get(session) ?? { version: 0, state: 'null' };
    return { version, read: () => JSON.parse(state) as Json };
  }

  function save(session: string, state: string): number {
    return keepIn(states, session, { version: ++saves, state }, mostStates).version;
  }

  function update(
    sessions: readonly string[],
    change: (saved: readonly SavedState[]) => LedgerChange,
  ): number[] {
    const changed = change(sessions.map(savedOf));
    const texts = (changed.states ?? []).map(jsonTextOf);
    const once = changed.once ?? [];
    for (const { id } of once) if (entries.has(id)) throw new RepeatedEntry(id);
    keep(entries, once, most);
    keep(entries, changed.entries ?? [], most);
    keep(context, changed.context ?? [], most);
    return texts.map((text, i) => save(sessions[i]!, text));
  }

  return {
    update: async (sessions, change) => update(sessions, change),

    async append(added) {
      update([], () => ({ entries: added }));
    },

    async entries({ session, kind, since, under, last } = {}) {
      const found = [...entries.values()].filter(
        (entry) =>
          (session === undefined || entry.session === session) &&
          (kind === undefined
            ? under !== undefined || entry.kind !== 'piece'
            : entry.kind === kind) &&
          (since === undefined || entry.at >= since) &&
          (under === undefined || under.some((beginning) => entry.id.startsWith(beginning))),
      );
      return newest(
        found.sort((a, b) => a.at - b.at),
        last,
      );
    },

    async context({ session, topics, task, last } = {}) {
      const found = [...context.values()].filter(
        (entry) =>
          (session === undefined || entry.session === session) &&
          (topics === undefined || topics.includes(entry.topic)) &&
          (task === undefined || entry.relatedTasks.includes(task)),
      );
      return newest(
        found.sort((a, b) => a.timestamp - b.timestamp),
        last,
      );
    },

    async sessions() {
      return [...Map.groupBy(entries.values(), ({ session }) => session)]
        .map(([session, of]) => spanOf(session, of))
        .filter(({ events, signals }) => events + signals > 0)
        .sort((a, b) => b.last - a.last);
    },

    loadState: async (session) => savedOf(session).read(),

    async saveState(session, state) {
      update([session], () => ({ states: [state] }));
    },

    async forget(session) {
      for (const kept of [entries, context]) {
        for (const [id, entry] of kept)
          if (session === undefined || entry.session === session) kept.delete(id);
      }
      if (session === undefined) states.clear();
      else states.delete(session);
    },

    async close() {},
  };
}

/** Adds new items; beyond `most`, drops the oldest. */
function keep<T extends { id: string }>(
  kept: Map<string, T>,
  added: readonly T[],
  most: number,
): void {
  for (const entry of added)
    if (!kept.has(entry.id)) keepIn(kept, entry.id, structuredClone(entry), most);
}

const newest = <T>(found: T[], last: number | undefined): T[] =>
  structuredClone(last === undefined ? found : found.slice(Math.max(0, found.length - last)));
