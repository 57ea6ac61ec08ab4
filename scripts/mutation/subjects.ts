/** A part of the code whose mutants are tried, and the tests that should notice them. */
export interface Subject {
  mutate: string[];
  tests: string[];
  /**
   * Tests that are left out: those of speed, of size and of any text take longer than all others
   * together.
   */
  without: RegExp;
  /** How many mutants are tried, the same ones on every machine. */
  sample: number;
  /** Percent of them that must be noticed. */
  threshold: number;
}

export const subjects: Record<string, Subject> = {
  judgement: {
    mutate: ['packages/engine/src/{detectors,fingerprint}/**/*.ts'],
    tests: [
      'packages/engine/src/{detectors,fingerprint}/**/*.test.ts',
      'test/{field,scenarios}/*.test.ts',
      'test/{readmes,recoveries,told,prints}.test.ts',
    ],
    without:
      /10,000|any text|whatever is printed|very long|quick|deltas of 1|letter by letter|3 KB|however a text is cut|that a call ends|no surrogate|size of a delta|longer than a block|however much/,
    sample: 1500,
    threshold: 75,
  },
  guard: {
    mutate: [
      'packages/engine/src/{policy,outcome}/**/*.ts',
      'packages/engine/src/{guard,session}.ts',
    ],
    tests: [
      'packages/engine/src/{policy,outcome}/**/*.test.ts',
      'packages/engine/src/guard.test.ts',
      'test/{guard,outcome,recoveries}.test.ts',
      'test/{field,scenarios}/*.test.ts',
    ],
    without: /10,000/,
    sample: Number.POSITIVE_INFINITY,
    threshold: 85,
  },
};
