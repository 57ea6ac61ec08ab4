/** One step to learn from. */
export interface Sample {
  features: readonly number[];
  stuck: boolean;
}

/** A forecast: features are standardised, weighed and added up. The last weight stands alone. */
export interface Model {
  means: number[];
  deviations: number[];
  weights: number[];
}

/** Pull of the weights towards nothing, in samples. */
const RIDGE = 100;
const ROUNDS = 8;

/** How likely the agent is stuck, from 0 to 1. */
export function forecast({ means, deviations, weights }: Model, features: readonly number[]): number {
  let sum = weights.at(-1)!;
  for (const [i, feature] of features.entries()) sum += (weights[i]! * (feature - means[i]!)) / deviations[i]!;
  return 1 / (1 + Math.exp(-sum));
}

/** Logistic regression with a ridge, by Newton's method. The same samples give the same model. */
export function fit(samples: readonly Sample[]): Model {
  const size = samples[0]!.features.length;
  const columns = Array.from({ length: size }, (_, i) => samples.map(({ features }) => features[i]!));
  const means = columns.map(mean);
  const deviations = columns.map((column, i) => Math.sqrt(mean(column.map((value) => (value - means[i]!) ** 2))) || 1);
  const rows = samples.map(({ features }) => [...features.map((value, i) => (value - means[i]!) / deviations[i]!), 1]);
  const weights = new Array<number>(size + 1).fill(0);
  for (let round = 0; round < ROUNDS; round++) {
    const slope = weights.map((weight, i) => (i < size ? -RIDGE * weight : 0));
    const curve = weights.map((_, i) => weights.map((_, j) => (i === j && i < size ? RIDGE : 1e-9)));
    for (const [n, row] of rows.entries()) {
      let sum = 0;
      for (let i = 0; i <= size; i++) sum += row[i]! * weights[i]!;
      const likely = 1 / (1 + Math.exp(-sum));
      const missing = Number(samples[n]!.stuck) - likely;
      for (let i = 0; i <= size; i++) {
        slope[i]! += row[i]! * missing;
        const spread = row[i]! * likely * (1 - likely);
        const line = curve[i]!;
        for (let j = 0; j <= i; j++) line[j]! += row[j]! * spread;
      }
    }
    for (let i = 0; i <= size; i++) for (let j = 0; j < i; j++) curve[j]![i] = curve[i]![j]!;
    for (const [i, change] of solve(curve, slope).entries()) weights[i]! += change;
  }
  return { means, deviations, weights };
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Solves linear equations by elimination. What it is given is symmetric and has a ridge, so no pivot is near zero. */
function solve(matrix: readonly (readonly number[])[], right: readonly number[]): number[] {
  const size = right.length;
  const rows = matrix.map((row, i) => [...row, right[i]!]);
  for (let i = 0; i < size; i++) {
    for (let below = i + 1; below < size; below++) {
      const factor = rows[below]![i]! / rows[i]![i]!;
      for (let column = i; column <= size; column++) rows[below]![column]! -= factor * rows[i]![column]!;
    }
  }
  const solved = new Array<number>(size).fill(0);
  for (let i = size - 1; i >= 0; i--) {
    let rest = rows[i]![size]!;
    for (let column = i + 1; column < size; column++) rest -= rows[i]![column]! * solved[column]!;
    solved[i] = rest / rows[i]![i]!;
  }
  return solved;
}
