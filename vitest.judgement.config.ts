import { defineConfig } from 'vitest/config';

/** The tests that `npm run mutate:judgement` runs against each mutant: all that judge, but for those of size and of any text. */
export default defineConfig({
  test: {
    include: ['src/{detectors,fingerprint}/**/*.test.ts', 'test/{field,scenarios}/**/*.test.ts'],
    setupFiles: 'test/setup/seed.ts',
    testTimeout: 60_000,
    testNamePattern: /^(?!.*(?:10,000|any text|whatever is printed|very long|quick|deltas of 1))/,
  },
});
