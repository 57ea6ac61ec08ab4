import { defineConfig } from 'vitest/config';

/** The quick tests that `npm run mutate` runs against each mutant. */
export default defineConfig({ test: { include: ['src/{policy,outcome}/**/*.test.ts', 'src/guard.test.ts'] } });
