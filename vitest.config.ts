import { configDefaults, defineConfig } from 'vitest/config';

/** Where `.ci/run` wants the counts of this run, as JSON. */
const report = process.env.UNRUT_TEST_REPORT;
/** Tests that install and run the real agents. */
const REAL = 'test/real/**/*.test.ts';

export default defineConfig({
  test: {
    testTimeout: 120_000,
    reporters: report ? ['default', ['json', { outputFile: report }]] : ['default'],
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
          exclude: [...configDefaults.exclude, REAL],
          // Many wait for processes and pages.
          maxWorkers: '100%',
          // Hooks that leave a process behind are tested by themselves.
          env: { UNRUT_COMPANION: 'false' },
        },
      },
      {
        extends: true,
        test: {
          name: 'real',
          include: [REAL],
          globalSetup: 'test/real/setup.ts',
          testTimeout: 240_000,
          hookTimeout: 60_000,
          // They mostly wait for the agents.
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
