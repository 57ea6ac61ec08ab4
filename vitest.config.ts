import { defineConfig } from 'vitest/config';

/** Where `.ci/run` wants the counts of this run, as JSON. */
const report = process.env.UNRUT_TEST_REPORT;

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    testTimeout: 120_000,
    reporters: report ? ['default', ['json', { outputFile: report }]] : ['default'],
  },
});
