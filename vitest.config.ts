import { globSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { configDefaults, defineConfig } from 'vitest/config';
import { InTurns } from './test/setup/in-turns.ts';

/** Where `.ci/run` wants the counts of this run, as JSON. */
const report = process.env.UNRUT_TEST_REPORT;

/** A test's name says what it needs; one without a word of its own needs nothing but the code. */
const PROCESS = '**/*.process.test.ts';
const BROWSER = '**/*.browser.test.ts';
/** The one browser test of `npm test`. */
const SMOKE = '**/*.smoke.test.ts';
/** Process tests that take longer than ten seconds each; they run in `npm run test:full`. */
const LONG = [
  'bench/quality-bench',
  'computer-use/memory',
  'docs/site',
  'config/{every-setting,wrong-settings}',
  'hook/{at-once,companion,hook-process,person,through-server}',
  'install/{doctor,doctor-ledger,install,install-project}',
  'ledger-sqlite-processes',
  'mcp/{http,transparency}',
  'notify/notify',
  'output-schema',
  'recorder-processes',
  'run/{damaged-ledger,field,killed-parallel,processes,progress,roadmap-cli,roadmap-screen}',
  'run/{robust,run-cli,run-kill,run-twice,show-run}',
  'scan/scan-cli',
  'server/{faults,hooks,kill,limits,operators,secrets,serve-program,stream}',
  'tasks/{reopened,termination,thousand-tasks,thousand-ticks}',
  'views/commands',
].map((name) => `test/${name}.process.test.ts`);
/** Tests that need a Postgres; `test:fleet` runs more of what they do. */
const FLEET = '**/*.fleet.test.ts';
/** What both ledgers tell of random histories: a sample in `npm test`, all in the full run. */
const HISTORIES = {
  sqlite: 'test/views/random-histories.process.test.ts',
  postgres: 'test/fleet/random-histories.fleet.test.ts',
};
/** Fleet tests that measure downtime, query load or bursts; they must run alone. */
const FLEET_ALONE =
  '**/{any-bytes,database-faults,failover,killed-servers,ledger-faults,one-session,pgbouncer,reading-much,replica,upgrade}.fleet.test.ts';
/** Tests that install and run real agents. */
const REAL = 'test/real/**/*.test.ts';

/** Builds the programs that tests start. */
const PROGRAMS = 'test/setup/programs.ts';

/**
 * Tests of properties, and of what is done very often: a sample of each belongs to its own project,
 * all of it to `properties`.
 */
const PROPERTIES = globSync(['packages/*/src/**/*.test.ts', 'test/**/*.test.ts'], {
  cwd: import.meta.dirname,
}).filter((file) => {
  const words = /\.(?:process|browser|smoke|fleet)\.test\.ts$/.test(file)
    ? /full-runs\.ts'/
    : /'fast-check'|full-runs\.ts'/;
  return words.test(readFileSync(`${import.meta.dirname}/${file}`, 'utf8'));
});

/**
 * Limits are for tests that hang: a machine that is three times slower than ours must not reach
 * them.
 */
const MINUTE = 60_000;

/** Programs of others, and their timeouts, get a second try: a fault of ours fails twice. */
const retry = 1;

/**
 * Files that mostly wait for the programs they start: two for each core, of all these projects in
 * turn.
 */
const besideOthers = {
  retry,
  globalSetup: PROGRAMS,
  maxWorkers: Math.min(8, 2 * availableParallelism()),
  sequence: { groupOrder: 2 },
};

/** Postgres runs where we install it or npm does. */
const hasPostgres = process.platform === 'linux';
const POSTGRES = 'test/fleet/setup.ts';

const fleet = {
  globalSetup: [PROGRAMS, POSTGRES],
  ...(process.env.UNRUT_FLEET === 'full' ? { testTimeout: 60 * MINUTE } : {}),
};

/** Hooks that leave a process behind are tested by themselves. */
const env = { UNRUT_COMPANION: 'false' };

/** Examples import what is published; here that is the source. */
const alias = [
  {
    find: /^unrut\/(ai-sdk|claude-agent-sdk|langchain|openai-agents|mastra|messages|genkit|google-adk|strands)$/,
    replacement: `${import.meta.dirname}/packages/adapters/src/frameworks/$1/index.ts`,
  },
];

export default defineConfig({
  resolve: { alias },
  test: {
    testTimeout: 5 * MINUTE,
    hookTimeout: 5 * MINUTE,
    setupFiles: 'test/setup/seed.ts',
    sequence: { sequencer: InTurns },
    reporters: report ? ['default', ['json', { outputFile: report }]] : ['default'],
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['packages/*/src/**/*.test.ts', 'test/**/*.test.ts'],
          exclude: [...configDefaults.exclude, PROCESS, BROWSER, SMOKE, FLEET, REAL],
          setupFiles: ['test/setup/seed.ts', 'test/setup/unit.ts'],
          isolate: false,
          maxWorkers: '100%',
          testTimeout: MINUTE,
          env,
        },
      },
      {
        extends: true,
        test: {
          name: 'properties',
          include: PROPERTIES,
          env: { ...env, UNRUT_PROPERTIES: 'full' },
          globalSetup: PROGRAMS,
          maxWorkers: '100%',
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: 'quick',
          include: [PROCESS],
          exclude: [...configDefaults.exclude, ...LONG],
          env,
          ...besideOthers,
        },
      },
      {
        extends: true,
        test: {
          name: 'smoke',
          include: [SMOKE, ...(hasPostgres ? [HISTORIES.postgres] : [])],
          env,
          ...besideOthers,
          globalSetup: [PROGRAMS, ...(hasPostgres ? [POSTGRES] : [])],
        },
      },
      {
        extends: true,
        test: {
          name: 'histories',
          include: Object.values(HISTORIES),
          env: { UNRUT_HISTORIES: 'full' },
          ...besideOthers,
          ...fleet,
          testTimeout: 60 * MINUTE,
        },
      },
      { extends: true, test: { name: 'long', include: LONG, env, ...besideOthers } },
      { extends: true, test: { name: 'browser', include: [BROWSER], env, ...besideOthers } },
      { extends: true, test: { name: 'real', include: [REAL], ...besideOthers } },
      {
        extends: true,
        test: {
          name: 'fleet',
          include: [FLEET],
          exclude: [...configDefaults.exclude, FLEET_ALONE, HISTORIES.postgres],
          env,
          ...besideOthers,
          ...fleet,
        },
      },
      {
        extends: true,
        test: {
          name: 'fleet-alone',
          include: [FLEET_ALONE],
          env,
          retry,
          maxWorkers: 2,
          sequence: { groupOrder: 3 },
          ...fleet,
        },
      },
    ],
  },
});
