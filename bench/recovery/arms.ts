import {
  type Brain,
  createRunner,
  type ScreenRunResult,
  type StepGuardOptions,
  SWITCHES,
  type Switch,
  type View,
} from '@unrut/computer-use';
import type { Page } from 'playwright-core';
import { GATE_NAMES } from '../../packages/computer-use/src/switches.ts';
import { createAgent, randomOf, type Temper } from './agent.ts';
import { type Judgement, judgeDeeds, type RecoveryTask, type Worlds } from './world.ts';

/** How much is done about loops. */
export interface Arm {
  off?: readonly Switch[];
  allow?: StepGuardOptions['allow'];
  /** The run ends at a hard loop. In the other arms it is told to continue. */
  stops?: true;
  /** Counts repeated actions, as browser-use does. */
  counts?: true;
  /** A key, a scroll or a wait by chance, at a loop. */
  random?: true;
  /**
   * Another arm without this switch. If that arm did not use the switch, there is nothing to
   * compare, so the run is skipped.
   */
  lacks?: { what: Switch; of: string };
}

const SILENT: readonly Switch[] = SWITCHES.filter((name) => name !== 'adaptive-window');
const less = (what: Switch): Arm => ({ off: [what], lacks: { what, of: 'default' } });
const RULES: Arm = { allow: ['loop-recovery'] };
const lessRule = (what: Switch): Arm => ({
  ...RULES,
  off: [what],
  lacks: { what, of: 'default and the three rules' },
});

export const ARMS: Readonly<Record<string, Arm>> = {
  off: { off: SILENT },
  'stop only': { off: SILENT, stops: true },
  'notice only': { off: GATE_NAMES },
  counter: { off: SILENT, counts: true },
  'the three rules': { off: ['done-gate', 'force-fill'], ...RULES },
  default: {},
  'default less done-gate': less('done-gate'),
  'default less force-fill': less('force-fill'),
  'default and the three rules': RULES,
  'less type-pending-value': lessRule('type-pending-value'),
  'less press-return-for-submit': lessRule('press-return-for-submit'),
  'less tab-to-next-field': lessRule('tab-to-next-field'),
  everything: {
    allow: ['force-submit', 'top-click-guard', 'returnInFocusedField', 'loop-recovery'],
  },
  'a random action': {
    off: ['done-gate', 'force-fill', 'force-submit', 'top-click-guard', 'loop-recovery'],
    random: true,
  },
};

/**
 * Drawn for each seed: agents differ. The chances of getting stuck are high, so that there is
 * something to see.
 */
function temperOf(seed: number, trap: boolean): Temper {
  const random = randomOf(seed ^ 0x5eed);
  const between = (from: number, to: number): number => from + (to - from) * random();
  return {
    stuck: trap ? between(0.4, 0.9) : between(0.1, 0.5),
    stubborn: between(0.6, 0.95),
    heed: between(0, 0.8),
    err: trap ? between(0.3, 0.7) : between(0, 0.25),
    hasty: between(0, 0.03),
    impatient: between(0, 1),
  };
}

export interface RecoveryRun extends Judgement {
  task: string;
  seed: number;
  arm: string;
  steps: number;
  forced: Record<string, number>;
  /** Which gates and rules replaced something. */
  used: string[];
  ended: ScreenRunResult['termination_reason'];
}

const MAX_STEPS = 30;
const PATIENCE = { still: 10, most: 250, idle: 0, turn: 0 };
const MOVES: readonly string[] = ['Tab', 'Escape', 'PageDown', 'ArrowDown', 'Return'];

/** Runs an agent on a task, and judges the resulting world. */
export async function runOnce(
  page: Page,
  worlds: Worlds,
  task: RecoveryTask,
  arm: string,
  seed: number,
  maxSteps = MAX_STEPS,
): Promise<RecoveryRun> {
  const { off = [], allow = [], stops, counts, random } = ARMS[arm]!;
  const { url, deeds } = worlds.begin(task);
  await page.goto(url);
  const chance = randomOf(seed ^ 0xa11ce);
  const agent = createAgent(page, task, temperOf(seed, task.trap === true), seed);
  const values = Object.entries(task.plan ?? {}).map(([label, value]) => ({ label, value }));
  const result = await createRunner({
    page,
    task: task.task,
    plan: { values },
    brain: counts ? counting(agent) : agent,
    maxSteps,
    environment: {},
    patience: PATIENCE,
    off,
    allow,
    ...(stops ? {} : { escalate: async () => true }),
    ...(random
      ? {
          director: async () => ({
            type: 'key_press',
            keys: MOVES[Math.floor(chance() * MOVES.length)]!,
          }),
        }
      : {}),
  }).run();
  return {
    task: task.name,
    seed,
    arm,
    ...judgeDeeds(task.goal, deeds),
    steps: result.steps,
    forced: result.substitutions_by_gate,
    used: [
      ...Object.keys(result.substitutions_by_gate),
      ...Object.keys(result.loop_recoveries_by_reason).map((reason) => reason.replaceAll('_', '-')),
    ],
    ended: result.termination_reason,
  };
}

/** The agent gets a note at five equal actions in a row, and again at eight and twelve. */
function counting(agent: Brain): Brain {
  let last = '';
  let count = 0;
  return {
    async propose(view: View) {
      const feedback = [5, 8, 12].includes(count)
        ? `You have repeated the same action ${count} times.`
        : '';
      const proposal = await agent.propose({ ...view, feedback });
      const now = JSON.stringify(proposal.action);
      count = now === last ? count + 1 : 1;
      last = now;
      return proposal;
    },
  };
}
