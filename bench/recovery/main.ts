import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { launchChromium } from '../../test/browser/chromium.ts';
import { ARMS, type RecoveryRun, runOnce } from './arms.ts';
import { type ArmFigures, compare, type Estimate, figuresOf } from './figures.ts';
import { AGENT_ARMS, runWithAgent } from './real-agent.ts';
import { ORDINARY, TRAPS, UNSEEN_NAMES } from './tasks.ts';
import { runToolTasks, TOOL_TASKS } from './tools.ts';
import { type RecoveryTask, startWorlds } from './world.ts';

const HELP = `npm run bench:recovery -- [options]

Does the policy help agents that loop in a browser, and does it do harm? Seeded agents on ${ORDINARY.length} ordinary pages and ${TRAPS.length} traps, judged
by what the server was sent. Exits with 1 when the default settings harm anybody on a trap.

  --seeds N    agents for each ordinary page and arm (default 4)
  --traps N    runs of the default settings on traps (default 1000); other arms get a twelfth of them
  --arms LIST  only these arms, by name, separated with commas (default: all)
  --tools N    agents for each of 12 tasks with files, through the MCP proxy, in three arms (default 8)
  --agents N   the same tasks done by Claude Code itself with a scripted model, so many times each, in three arms (default 1)
  --json FILE  write every run and the figures here`;

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '4' },
    traps: { type: 'string', default: '1000' },
    arms: { type: 'string' },
    tools: { type: 'string', default: '8' },
    agents: { type: 'string', default: '1' },
    json: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  console.log(HELP);
  process.exit();
}
const arms = values.arms?.split(',').filter((arm) => arm !== '') ?? Object.keys(ARMS);
for (const arm of arms)
  if (!Object.hasOwn(ARMS, arm))
    throw new Error(`Unknown arm: ${arm}. Expected ${Object.keys(ARMS).join(', ')}.`);

/** The first seed; any other does as well. */
const FIRST_SEED = 40_000;
/** The other arms get one in this many of the traps. */
const SHARE = 12;

const withTools = await runToolTasks(Number(values.tools), FIRST_SEED);
const withAgent = await runWithAgent(
  TOOL_TASKS,
  Object.keys(AGENT_ARMS),
  Number(values.agents),
  FIRST_SEED,
);
const worlds = await startWorlds();
const browser = await launchChromium();
const page = await browser.newPage({ viewport: { width: 480, height: 360 } });

/**
 * Runs an arm. An arm without a switch is run only where the other one used it; elsewhere both are
 * the same.
 */
async function runAll(
  tasks: readonly RecoveryTask[],
  arm: string,
  count: number,
  done: ReadonlyMap<string, readonly RecoveryRun[]>,
): Promise<RecoveryRun[]> {
  const runs: RecoveryRun[] = [];
  const { lacks } = ARMS[arm]!;
  const whole = (lacks && done.get(lacks.of)) ?? [];
  for (let i = 0; i < count; i++) {
    const task = tasks[i % tasks.length]!;
    const same = lacks && whole[i]?.used.includes(lacks.what) ? undefined : whole[i];
    runs.push(same ? { ...same, arm } : await runOnce(page, worlds, task, arm, FIRST_SEED + i));
    if (i % 50 === 49) console.error(`${arm}: ${i + 1} of ${count}`);
  }
  return runs;
}

const percent = (share: number): string => `${(100 * share).toFixed(0)} %`;
const between = ({ value, from, to }: Estimate, show: (value: number) => string): string =>
  `${show(value)} [${show(from)}, ${show(to)}]`;
const print = (cells: readonly (string | number)[]): void =>
  console.log(`| ${cells.join(' | ')} |`);
const round = (value: number): string => value.toFixed(1);
const ratio = (value: number): string => value.toFixed(2);

function printArms(title: string, figures: readonly ArmFigures[]): void {
  console.log(`\n${title}\n`);
  const head = ['arm', 'runs', 'reached', 'cleanly', 'harmed', 'steps', 'forced'];
  print(head);
  print(head.map(() => '---'));
  for (const each of figures) {
    const harmed = `${each.harmed}${each.harmed === 0 ? ` (at most ${(100 * each.harmedAtMost).toFixed(1)} %)` : ''}`;
    print([
      each.arm,
      each.runs,
      percent(each.reached.value),
      between(each.clean, percent),
      harmed,
      between(each.steps, round),
      each.forced,
    ]);
  }
}

/** Prints the effect of each gate and rule where it acts: pairs of runs with and without it. */
function printPairs(ordinary: ReadonlyMap<string, readonly RecoveryRun[]>): void {
  console.log('\nWhat each brings, in the runs in which it acted\n');
  const head = ['', 'runs', 'cleanly with it', 'without', 'steps with it', 'without', 'ratio'];
  print(head);
  print(head.map(() => '---'));
  for (const [arm, without] of ordinary) {
    const { lacks } = ARMS[arm]!;
    const whole = lacks && ordinary.get(lacks.of);
    if (!whole) continue;
    const used = whole.filter((run) => run.used.includes(lacks.what));
    const isPair = ({ task, seed }: RecoveryRun): boolean =>
      used.some((each) => each.task === task && each.seed === seed);
    const [mine, theirs] = [figuresOf(arm, used), figuresOf(arm, without.filter(isPair))];
    const cells = [
      percent(mine.clean.value),
      percent(theirs.clean.value),
      round(mine.steps.value),
      round(theirs.steps.value),
    ];
    print([
      lacks.what,
      used.length,
      ...(used.length === 0 ? [] : [...cells, between(compare(used, without).steps, ratio)]),
    ]);
  }
}

function printComparison(name: string, runs: ReadonlyMap<string, readonly RecoveryRun[]>): void {
  const ours = runs.get('default');
  for (const arm of ['off', 'notice only']) {
    const theirs = runs.get(arm);
    if (!ours || !theirs) continue;
    const { clean, steps } = compare(ours, theirs);
    console.log(
      `\n${name} against ${arm}: clean ${between(clean, percent)}, steps × ${between(steps, ratio)}`,
    );
  }
}

try {
  const ordinary = new Map<string, RecoveryRun[]>();
  const traps = new Map<string, RecoveryRun[]>();
  for (const arm of arms) {
    ordinary.set(
      arm,
      await runAll(ORDINARY, arm, Number(values.seeds) * ORDINARY.length, ordinary),
    );
    const count =
      arm === 'default' ? Number(values.traps) : Math.ceil(Number(values.traps) / SHARE);
    traps.set(arm, await runAll(TRAPS, arm, count, traps));
  }
  const figures = {
    ordinary: [...ordinary].map(([arm, runs]) => figuresOf(arm, runs)),
    unseen: [...ordinary].map(([arm, runs]) =>
      figuresOf(
        arm,
        runs.filter(({ task }) => UNSEEN_NAMES.has(task)),
      ),
    ),
    traps: [...traps]
      .filter(([, runs]) => runs.length > 0)
      .map(([arm, runs]) => figuresOf(arm, runs)),
  };
  printArms('Ordinary pages', figures.ordinary);
  printArms('Of these, the pages that were not used while building', figures.unseen);
  printArms('Traps', figures.traps);
  const armsOf = (runs: ReadonlyMap<string, readonly RecoveryRun[]>): ArmFigures[] =>
    [...runs].map(([arm, some]) => figuresOf(arm, some));
  printArms('Tasks with files, through the MCP proxy', armsOf(withTools));
  printArms('The same tasks, done by Claude Code', armsOf(withAgent));
  printPairs(ordinary);
  printComparison('With files, default', withTools);
  printComparison('With files, by Claude Code, default', withAgent);
  printComparison('Default', ordinary);
  if (values.json)
    writeFileSync(
      values.json,
      `${JSON.stringify({ figures, runs: [...ordinary.values(), ...traps.values(), ...withTools.values(), ...withAgent.values()].flat() })}\n`,
    );
  const harmed = [traps, withTools, withAgent]
    .flatMap((runs) => runs.get('default') ?? [])
    .filter(({ harm }) => harm.length > 0);
  for (const { task, seed, harm } of harmed)
    console.log(`Harm: ${task}, seed ${seed}: ${JSON.stringify(harm)}`);
  if (harmed.length > 0) process.exitCode = 1;
} finally {
  await browser.close();
  await worlds.close();
}
