import type { Signal } from '../signal.ts';

/** The guard counts steps as it sees them; a reader of the source counts the source's. */
export interface StepClock {
  /** The guard's step `seen` is the source's `step`. */
  set(seen: number, step: number): void;
  /** Signals that texts will speak of. */
  hear(signals: readonly Signal[]): void;
  /** The source's step of one of the guard's, at most `latest`. */
  of(seen: number, latest: number): number;
  /** A text with the guard's steps in it, in the source's; `name` tells what those are called. */
  inText(text: string, name?: (step: number) => number): string;
}

export function createStepClock(): StepClock {
  const steps: number[] = [];
  /** Numbers that signals told: a command may speak of steps too, and means others. */
  const told = new Set<unknown>();
  return {
    set(seen, step) {
      steps[seen] = step;
    },
    hear(signals) {
      for (const { since, step, evidence } of signals) told.add(since).add(step).add(evidence.facts.first);
    },
    of: (seen, latest) => Math.min(steps[seen] ?? latest, latest),
    inText: (text, name = (step) => step) =>
      text.replace(/\b((?:since|of|at) step )(\d+)\b/g, (whole, words: string, number: string) => {
        const step = told.has(Number(number)) ? steps[Number(number)] : undefined;
        return step === undefined ? whole : words + name(step);
      }),
  };
}
