/** What a run spent of one thing, tokens or money, step by step. */
export interface Meter {
  /** A step of the source is reached. */
  reach(step: number): void;
  /** Spent at the step that was reached last. Nothing when the source does not tell. */
  spend(amount: number | undefined): void;
  /** Spent by the whole run, nobody knows when: shared out over its steps. */
  spendInAll(amount: number | undefined): void;
  /** All that was spent; nothing when the source never told. */
  total(): number | undefined;
  /** What was spent at these steps. */
  at(steps: Iterable<number>): number;
}

export function createMeter(): Meter {
  /** All that was spent before each step. */
  const before: number[] = [];
  let spent = 0;
  let inAll = 0;
  let isKnown = false;
  return {
    reach(step) {
      while (before.length <= step) before.push(spent);
    },
    spend(amount) {
      if (amount === undefined) return;
      spent += amount;
      isKnown = true;
    },
    spendInAll(amount) {
      if (amount === undefined) return;
      inAll += amount;
      isKnown = true;
    },
    total: () => (isKnown ? rounded(spent + inAll) : undefined),
    at(steps) {
      let sum = 0;
      for (const step of steps) sum += (before[step + 1] ?? spent) - (before[step] ?? spent) + inAll / Math.max(1, before.length);
      return rounded(sum);
    },
  };
}

/** Sums of money are not exact in binary: a millionth is more than anybody asks for. */
const rounded = (amount: number): number => Math.round(amount * 1e6) / 1e6;
