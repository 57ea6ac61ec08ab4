/** The guard counts steps as it sees them; a reader of the source counts the source's. */
export interface StepClock {
  /** The guard's step `seen` is the source's `step`. */
  set(seen: number, step: number): void;
  /** The source's step of one of the guard's, at most `latest`. */
  of(seen: number, latest: number): number;
  /** A text with the guard's steps in it, in the source's. */
  inText(text: string): string;
}

export function createStepClock(): StepClock {
  const steps: number[] = [];
  return {
    set(seen, step) {
      steps[seen] = step;
    },
    of: (seen, latest) => Math.min(steps[seen] ?? latest, latest),
    inText: (text) =>
      text.replace(/\b((?:since|of|at) step )(\d+)\b/g, (_, words: string, seen: string) => words + (steps[Number(seen)] ?? seen)),
  };
}
