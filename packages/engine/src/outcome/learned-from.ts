import type { Offer } from './offer.ts';

/** The fields of a ledger's entry that are needed here. */
export interface OutcomeEntry {
  session: string;
  kind: string;
  data: { [name: string]: unknown };
}

/** How well a move has worked after a failure. */
export interface RecoveryRow {
  failure: string;
  world: string;
  move: string;
  /**
   * How many times it was offered, how many times the agent did it next, and how many of those
   * recovered.
   */
  offered: number;
  followed: number;
  recovered: number;
  /** -1..1, the mean over the cases where it was followed; null if there were none. */
  reward: number | null;
  /** 0..1, with its prior: the rate that ranking uses; null if there are too few cases. */
  share: number | null;
}

/** Fewer cases are not enough to learn from. */
const ENOUGH = 3;
/** Adds this many neutral cases, so that one lucky case does not win. */
const PRIOR = 2;

/**
 * What works after which failure, ordered by failure, by world, and by how often a move was offered
 * and followed.
 */
export function recoveryRows(entries: readonly OutcomeEntry[]): RecoveryRow[] {
  const rows = new Map<string, RecoveryRow & { credit: number }>();
  for (const { offer, outcome } of lastOffers(entries)) {
    for (const move of offer.offered) {
      const name = `${offer.failure}/${offer.world}/${move}`;
      const row = rows.get(name) ?? { ...blankRow(offer, move), credit: 0 };
      rows.set(name, row);
      row.offered++;
      if (move !== offer.followed) continue;
      row.followed++;
      if (outcome === 'recovered') row.recovered++;
      row.reward = (row.reward ?? 0) + offer.reward;
      row.credit += (offer.reward + 1) / 2;
    }
  }
  return [...rows.values()].sort(inOrder).map(({ credit, ...row }) => ({
    ...row,
    reward: row.reward === null ? null : rounded(row.reward / row.followed),
    share: row.followed < ENOUGH ? null : rounded((credit + PRIOR / 2) / (row.followed + PRIOR)),
  }));
}

/** Success rates for `createGuard({ learned })`, from a ledger's outcomes. */
export function learnedFrom(entries: readonly OutcomeEntry[]): Record<string, number> {
  const rows = recoveryRows(entries).filter(({ share }) => share !== null);
  return Object.fromEntries(
    rows.map(({ failure, world, move, share }) => [`${failure}/${world}/${move}`, share!]),
  );
}

/** The last outcome of each plan: a relapse cancels a recovery. */
function lastOffers(
  entries: readonly OutcomeEntry[],
): Iterable<{ offer: Offer; outcome: unknown }> {
  const offers = new Map<string, { offer: Offer; outcome: unknown }>();
  for (const { kind, session, data } of entries) {
    if (kind !== 'outcome') continue;
    const { plan, outcome, offer } = data;
    if (isOffer(offer)) offers.set(`${session} ${plan}`, { offer, outcome });
  }
  return offers.values();
}

const isOffer = (value: unknown): value is Offer => {
  const offer = value as Partial<Offer> | null | undefined;
  return (
    typeof offer === 'object' &&
    offer !== null &&
    Array.isArray(offer.offered) &&
    Number.isFinite(offer.reward)
  );
};

const blankRow = ({ failure, world }: Offer, move: string): RecoveryRow => ({
  failure,
  world,
  move,
  offered: 0,
  followed: 0,
  recovered: 0,
  reward: null,
  share: null,
});

const keyOf = ({ failure, world }: RecoveryRow): string => `${failure} ${world}`;

function inOrder(one: RecoveryRow, another: RecoveryRow): number {
  if (keyOf(one) !== keyOf(another)) return keyOf(one) < keyOf(another) ? -1 : 1;
  return (
    another.offered - one.offered ||
    another.followed - one.followed ||
    (one.move < another.move ? -1 : 1)
  );
}

const rounded = (value: number): number => Math.round(1000 * value) / 1000 || 0;
