import { assertOptions, type OptionCheck, optionChecks } from '@unrut/engine/schema/checks';
import type { Page } from 'playwright-core';
import type { Proposal } from './action.ts';
import type { Brain, View } from './brain.ts';
import type { Look } from './eyes.ts';
import { ValueHider } from './hide-values.ts';
import { runnerChecks } from './options.ts';
import { performAction } from './perform.ts';
import { isSeen } from './plan.ts';
import { paintOver } from './png.ts';
import {
  type ScreenDecision,
  StepGuard,
  type StepGuardOptions,
  type StepResult,
} from './step-guard.ts';
import { Tabs } from './tabs.ts';
import {
  type ScreenRunResult,
  type TerminationReason,
  type TrajectoryStep,
  toStep,
} from './trajectory.ts';
import { TooSlow, within } from './within.ts';

const { keysOf } = optionChecks;

/** The options of a run. */
export interface RunnerOptions extends StepGuardOptions {
  brain: Brain;
  page: Page;
  /** The task for the brain. */
  task: string;
  /** Default: 50. */
  maxSteps?: number;
  signal?: AbortSignal;
  /** Paths of files that the brain may upload. Default: none. */
  uploads?: readonly string[];
  /** Called for each step, with the screen before it. Passwords are painted over. */
  onStep?: (step: TrajectoryStep, screenshot: () => Promise<Uint8Array>) => unknown;
  /**
   * Called at the end, with the screen after the last action. Passwords are painted over. Not
   * called if the page is gone.
   */
  onEnd?: (screenshot: () => Promise<Uint8Array>) => unknown;
  /** Not called; accepted because `...await openTrajectoryFolder(path)` brings it. */
  finish?: (result: ScreenRunResult) => unknown;
  /** Called if nothing helps; return true to continue. Without it, such a run ends with `loop`. */
  escalate?: (report: { task: string; url: string; feedback: string }) => Promise<boolean>;
}

const runnerCheck = keysOf(runnerChecks satisfies Record<keyof RunnerOptions, OptionCheck>);

/** Required options are checked even if they are missing. */
const withRequired = (options: RunnerOptions): object => {
  const { brain = null, page = null, task = null } = options;
  return { ...options, brain, page, task };
};

/** Drives a page with a brain's proposals. */
export interface ScreenRunner {
  /** Runs until something ends the run. Call it once. */
  run(): Promise<ScreenRunResult>;
}

/** Time limit of an action in milliseconds. Waits take the time they specify. */
const ACT_TIMEOUT = 15_000;
const MAX_UNSETTLED = 3;

interface Ending {
  reason: TerminationReason;
  text: string;
}

/** Creates a runner for one run: look, ask the brain, pass the gates, act, look again. */
export function createRunner(options: RunnerOptions): ScreenRunner {
  assertOptions('[computer-use]', withRequired(options), runnerCheck);
  const {
    brain,
    page,
    maxSteps = 50,
    signal,
    uploads = [],
    onStep,
    onEnd,
    finish: _,
    escalate,
    ...guarded
  } = options;
  const { task, plan } = guarded;
  const guard = new StepGuard(guarded);
  const hider = new ValueHider();
  for (const { value } of plan?.values ?? []) hider.add(value);
  const tabs = new Tabs(page);
  const began = Date.now();
  const result: ScreenRunResult = {
    task: hider.hide(task),
    termination_reason: 'max_steps',
    ending: `The run reached its limit of ${maxSteps} steps.`,
    steps: 0,
    seconds: 0,
    loop_recoveries_by_reason: {},
    done_rejections_by_reason: {},
    substitutions_by_gate: {},
    perceptual_summary: guard.perceptual,
    nudges: 0,
    spent: null,
    off: [...guard.off],
    trajectory: [],
    final_frame: null,
  };
  /** The current screen; null between an action and the next look. */
  let shown: Look | null = null;
  let feedback = '';
  let unsettled = 0;
  let dom = 0;

  async function step(look: Look): Promise<Ending | null> {
    const { viewport, url } = look.page;
    const proposal = await ask({
      task,
      screenshot: look.png,
      viewport,
      url,
      step: result.steps,
      feedback,
      pending: guard.pending,
      tabs: await tabs.listed(),
      text: look.page.text,
      ...(signal ? { signal } : {}),
    });
    if (signal?.aborted) return cancelled;
    const decision = await guard.before(tabs.page, proposal);
    const { action } = decision;
    if (action.type === 'type_text') hider.add(action.text);
    const failed = action.type === 'done' ? '' : await act(decision);
    if (tabs.lost) return { reason: 'page_lost', text: tabs.lost };
    if (action.type === 'done') {
      await record(decision, look, {
        look,
        loop: 'none',
        changed: false,
        feedback: [],
        demand: null,
      });
      const reason = !action.success
        ? 'done_failed'
        : decision.unverified
          ? 'done_unverified'
          : 'done';
      return { reason, text: hider.hide(action.summary) };
    }
    const front = tabs.page;
    const after = await guard
      .after(front, decision, failed)
      .catch(async (error: unknown): Promise<StepResult> => {
        if (!(await tabs.left(front))) throw error;
        const feedback = decision.substitution ? [decision.substitution.why] : [];
        return {
          look: await guard.start(tabs.page),
          loop: 'none',
          changed: true,
          feedback,
          demand: null,
        };
      });
    if (tabs.page !== front) after.look = await guard.start(tabs.page);
    await record(decision, look, after);
    return endOf(after);
  }

  /** An error of the brain is reported as such, whatever its type. */
  async function ask(view: View): Promise<Proposal> {
    try {
      return await brain.propose(view);
    } catch (error) {
      throw new BrainFailed((error as Error)?.message ?? String(error), { cause: error });
    }
  }

  async function finish(): Promise<void> {
    if (!shown || result.termination_reason === 'page_lost') return;
    const { png, page, frame } = shown;
    result.final_frame = { frame_hash: frame.hash, url: hider.hide(page.url) };
    await onEnd?.(() => paintOver(png, page.passwords));
  }

  /** Performs an action. Returns why it failed, in a sentence; empty if it succeeded. */
  async function act({ action }: ScreenDecision): Promise<string> {
    shown = null;
    const timeout = ACT_TIMEOUT + ('seconds' in action ? (action.seconds ?? 0) * 1000 : 0);
    try {
      if (action.type === 'upload' && !action.files.every((file) => uploads.includes(file)))
        return `This was not done: only these files may be chosen: ${uploads.join(', ') || 'none'}.`;
      if (action.type === 'switch_tab') await tabs.bring(action.tab);
      else
        await within(timeout, performAction(tabs.page, action, signal), 'the action did not end');
      return '';
    } catch (error) {
      if (error instanceof TooSlow) throw error;
      return `This could not be done: ${(error as Error).message.split('\n', 1)[0]}`;
    }
  }

  async function record(decision: ScreenDecision, before: Look, after: StepResult): Promise<void> {
    const { gate, reason } = decision.substitution ?? {};
    if (gate) count(result.substitutions_by_gate, gate);
    if (gate === 'loop-recovery') count(result.loop_recoveries_by_reason, reason!);
    if (gate === 'done-gate') count(result.done_rejections_by_reason, reason!);
    if (after.loop !== 'none' && !guard.off.has('nudge')) result.nudges++;
    feedback = [...tabs.takeNotices(), ...after.feedback].join(' ');
    const { look, changed, loop } = after;
    shown = look;
    const { viewport } = before.page;
    const kept = toStep(
      decision,
      { step: ++result.steps, at: Date.now() - began, changed, look, viewport, loop, feedback },
      hider,
    );
    result.trajectory.push(kept);
    await onStep?.(kept, () => paintOver(before.png, before.page.passwords));
  }

  async function endOf({ look, loop, demand }: StepResult): Promise<Ending | null> {
    if (tabs.lost) return { reason: 'page_lost', text: tabs.lost };
    if (plan?.until && isSeen(plan.until, look.page))
      return { reason: 'env_done', text: 'The page shows the expected result.' };
    unsettled = look.settled || look.page.dom !== dom ? 0 : unsettled + 1;
    dom = look.page.dom;
    if (unsettled >= MAX_UNSETTLED)
      return { reason: 'never_settled', text: 'The page never settled.' };
    if (loop !== 'hard' && demand === null) return null;
    if (!escalate)
      return { reason: 'loop', text: `The agent repeated the same thing. ${feedback}`.trim() };
    if (
      !(await escalate({
        task: result.task,
        url: hider.hide(look.page.url),
        feedback: hider.hide(feedback),
      }))
    )
      return { reason: 'escalated', text: 'A human was asked and stopped the run.' };
    await guard.goOn();
    return null;
  }

  async function run(): Promise<Ending | null> {
    shown = await guard.start(tabs.page);
    while (result.steps < maxSteps) {
      if (signal?.aborted) return cancelled;
      const ending = await step(guard.seen!);
      if (ending) return ending;
    }
    return null;
  }

  return {
    async run() {
      try {
        const ending = await run().catch(lostOrSlow);
        if (ending) {
          result.termination_reason = ending.reason;
          result.ending = hider.hide(ending.text);
        }
        await finish();
      } finally {
        tabs.release();
        guard.release();
        result.seconds = (Date.now() - began) / 1000;
        result.spent = brain.spent ? { ...brain.spent } : null;
      }
      return result;
    },
  };

  /** The ending for an error of Playwright: the page is gone or does not answer. */
  function lostOrSlow(error: unknown): Ending {
    if (signal?.aborted) return cancelled;
    if (error instanceof BrainFailed)
      return { reason: 'brain_failed', text: error.message.replace(/^(?:\[[\w-]+\] )+/, '') };
    if (tabs.lost || tabs.page.isClosed())
      return { reason: 'page_lost', text: tabs.lost || 'The page was closed.' };
    if (error instanceof TooSlow || (error as Error).name === 'TimeoutError')
      return {
        reason: 'never_settled',
        text: `Gave up: ${(error as Error).message.split('\n', 1)[0]}.`,
      };
    throw error;
  }
}

class BrainFailed extends Error {}

const cancelled: Ending = { reason: 'cancelled', text: 'The run was cancelled.' };

const count = (counts: Record<string, number>, name: string): void => {
  counts[name] = (counts[name] ?? 0) + 1;
};
