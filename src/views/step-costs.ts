import { noWaste, type Waste } from './hour-figures.ts';

/** A step that was lately made, and what it cost. */
interface Cost {
  step: number;
  at: number;
  tokens: number;
  usd: number;
  /** It is a step of its own, not only something that belongs to one. */
  counts: boolean;
  isWasted: boolean;
}

/** Steps that are remembered: a longer first lap is looked for by nobody. */
const MOST = 64;
/** After more steps without a signal a streak is another stretch: the longest lap that is looked for. */
const LONGEST_PAUSE = 8;

/** What the wasted steps of one agent cost. A step is wasted once, however many detectors say so. */
export class StepCosts {
  readonly #costs = new Map<number, Cost>();
  readonly #lastSignal = new Map<string, number>();
  readonly #onWaste: (waste: Waste, at: number) => void;

  constructor(onWaste: (waste: Waste, at: number) => void) {
    this.#onWaste = onWaste;
  }

  /** Something was spent on a step, or it was made. */
  spend(step: number, at: number, counts: boolean, { tokens = 0, usd = 0 }: { tokens?: number; usd?: number }): void {
    const known = this.#costs.get(step);
    if (known?.isWasted) this.#onWaste({ steps: counts && !known.counts ? 1 : 0, tokens, usd }, at);
    const cost = known ?? { step, at, tokens: 0, usd: 0, counts: false, isWasted: false };
    Object.assign(cost, { tokens: cost.tokens + tokens, usd: cost.usd + usd, counts: cost.counts || counts });
    this.#costs.set(step, cost);
    if (this.#costs.size > MOST) this.#costs.delete(this.#costs.keys().next().value!);
  }

  /** A loop was seen at a step. The steps after its first lap are wasted, and those since the last time it was seen. */
  loop(streak: string, { step, since, count }: { step: number; since: number; count: number }): void {
    const before = this.#lastSignal.get(streak);
    this.#lastSignal.delete(streak);
    this.#lastSignal.set(streak, step);
    if (this.#lastSignal.size > MOST) this.#lastSignal.delete(this.#lastSignal.keys().next().value!);
    const lap = Math.max(1, Math.round((step - since + 1) / Math.max(1, count)));
    const from = before === undefined ? since + lap : step - before > LONGEST_PAUSE ? step : before + 1;
    for (const cost of this.#costs.values()) {
      if (cost.step < from || cost.step > step || cost.isWasted) continue;
      cost.isWasted = true;
      this.#onWaste({ ...noWaste(), steps: cost.counts ? 1 : 0, tokens: cost.tokens, usd: cost.usd }, cost.at);
    }
  }
}
