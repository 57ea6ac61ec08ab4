import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';

/** So many lines have about 1,500 mutants. */
const LINES = 830;
const CODE = /[\w)\]}]/;
const NO_CODE = /^\s*(?:\/\/|\/?\*|import |export type |export interface |type |interface )/;

/** A sample of the lines of code, the same on every machine: mutants that lie within one of them are tried. */
const lines = globSync('src/{detectors,fingerprint}/**/*.ts', { exclude: ['**/*.test.ts'] })
  .flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .flatMap((line, i) => (CODE.test(line) && !NO_CODE.test(line) ? [`${file}:${i + 1}:0-${i + 1}:${line.length}`] : [])),
  )
  .map((place) => ({ place, order: createHash('sha256').update(place).digest('hex') }))
  .sort((a, b) => (a.order < b.order ? -1 : 1))
  .slice(0, LINES)
  .map(({ place }) => place);

/** Mutation testing of what judges: `npm run mutate:judgement`. */
export default {
  testRunner: 'vitest',
  vitest: { configFile: 'vitest.judgement.config.ts' },
  mutate: lines,
  tsconfigFile: 'none-under-typescript-7.json',
  incrementalFile: 'reports/mutation-judgement.json',
  concurrency: 2,
  ignorePatterns: ['bench/out', 'dist', 'docs', 'coverage'],
  reporters: ['clear-text', 'progress', 'json'],
  jsonReporter: { fileName: 'reports/judgement.json' },
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
  thresholds: { high: 85, low: 75, break: 75 },
};
