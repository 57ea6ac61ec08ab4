import { isRecordedStep } from '@unrut/engine/account/entry';
import type { EventBase } from '@unrut/engine/event';
import type { Ledger, LedgerEntry } from './ledger.ts';
import type { RecordedEvent } from './reports/recorded-entry.ts';
import type { Reports } from './reports/reports.ts';

/** The spending of all sessions of a ledger. */
export type DaySum = Required<NonNullable<EventBase['spentToday']>>;

/** The ledger methods that compute the spending of a day. */
export type DaySource = Pick<Ledger, 'entries' | 'spentSince' | 'reports'>;

/** Local midnight before `at`. */
export const startOfDay = (at: number): number => new Date(at).setHours(0, 0, 0, 0);

/** The spending since midnight. */
export const spentToday = (ledger: DaySource, at: number): Promise<DaySum> =>
  daySumSince(ledger, startOfDay(at));

/** The spending since a time. */
export async function daySumSince(ledger: DaySource, since: number): Promise<DaySum> {
  if (ledger.spentSince) return ledger.spentSince(since);
  if (ledger.reports) return reported(ledger.reports, since);
  return sumOf(await ledger.entries({ kind: 'event', since }));
}

/**
 * How long a sum is reused, in milliseconds, so that a large ledger is not summed for each event.
 */
const MAX_AGE = 10_000;
const kept = new WeakMap<Reports, { since: number; until: number; sum: Promise<DaySum> }>();

function reported(reports: Reports, since: number): Promise<DaySum> {
  const now = Date.now();
  const known = kept.get(reports);
  if (known && known.since === since && now < known.until) return known.sum;
  const sum = reports
    .stats({ since, by: 'day' })
    .then(({ usd, steps }): DaySum => ({ usd, steps }));
  kept.set(reports, { since, until: now + MAX_AGE, sum });
  sum.catch(() => kept.delete(reports));
  return sum;
}

/** A step that counts in a budget: a call that Unrut blocked did not run. */
const isSpentStep = (event: RecordedEvent): boolean =>
  isRecordedStep(event) && event.seen?.neutral !== 'own';

/** What these events spent. */
export function sumOf(entries: Iterable<LedgerEntry>): DaySum {
  const sum: DaySum = { usd: 0, steps: 0 };
  for (const { kind, data } of entries) {
    if (kind !== 'event') continue;
    const event = data as unknown as RecordedEvent;
    sum.usd += event.cost?.usd ?? 0;
    if (isSpentStep(event)) sum.steps++;
  }
  return sum;
}

const nothing = (): DaySum => ({ usd: 0, steps: 0 });

const plus = (one: DaySum, other: DaySum): DaySum => ({
  usd: one.usd + other.usd,
  steps: one.steps + other.steps,
});

/**
 * The spending of the day for a recorder that writes later: the ledger's last sum plus unsaved
 * events.
 */
export class DaySoFar {
  readonly #ledger: DaySource;
  readonly #now: () => number;
  #day = 0;
  #recorded = nothing();
  #unrecorded = nothing();

  constructor(ledger: DaySource, now: () => number) {
    this.#ledger = ledger;
    this.#now = now;
  }

  get sum(): DaySum {
    if (this.#day !== startOfDay(this.#now())) void this.read();
    return plus(this.#recorded, this.#unrecorded);
  }

  add(entries: readonly LedgerEntry[]): void {
    this.#unrecorded = plus(this.#unrecorded, sumOf(entries));
  }

  /** Called after all added events are in the ledger. Never rejects. */
  async read(): Promise<void> {
    const now = this.#now();
    this.#day = startOfDay(now);
    const before = this.#unrecorded;
    try {
      this.#recorded = await spentToday(this.#ledger, now);
      this.#unrecorded = {
        usd: this.#unrecorded.usd - before.usd,
        steps: this.#unrecorded.steps - before.steps,
      };
    } catch {
      // The next reading tries again.
      this.#day = 0;
    }
  }
}
