import type { Verdict } from '@unrut/engine/guard';
import { sentence } from '@unrut/engine/recoveries/wording';
import { endRun, type RunResult, runEntry } from './end-run.ts';
import { type Choice, loopReport } from './escalation-report.ts';
import type { LoopFound } from './loop-found.ts';
import type { RunState } from './run-state.ts';
import type { RunStore } from './run-store.ts';

/** Decides what to do about a loop. Returns undefined if the run was interrupted instead. */
export type Choose = (
  report: string,
  state: RunState,
  isLast: boolean,
) => Promise<Choice | undefined>;

/**
 * Reports a loop and carries out the decision. Returns undefined if the run continues; it cannot
 * continue if no iteration is left.
 */
export async function answerLoop(
  {
    store,
    choose,
    isAsked,
    now,
  }: { store: RunStore; choose: Choose; isAsked: boolean; now: () => number },
  loop: LoopFound,
  { plan }: Verdict,
  isLast: boolean,
): Promise<RunResult | undefined> {
  const { state, run } = store;
  const report = loopReport(loop, state.tried, isAsked);
  // The next prompt contains this, now or after a resume.
  state.advice = state.failedCheck?.claimed
    ? `${isNotDone(state.failedCheck)} This was so ${loop.count} times. Run \`${state.failedCheck.command}\` yourself, read what it prints, and change what makes it fail; or say why it cannot pass.`
    : adviceFor(plan?.toModel ?? `${loop.text}.`);
  await store.save([runEntry(store, 'loop_escalation', report, now())]);
  const choice = await choose(report, state, isLast);
  if (choice === undefined)
    return endRun(store, now(), 'interrupted', 'The run was interrupted.', report);
  if (choice !== 'continue' || isLast)
    return endRun(
      store,
      now(),
      choice === 'escalate' ? 'escalated' : 'loop',
      `${sentence(loop.text)}.`,
      report,
    );
  state.continued++;
  if (plan)
    await store.observe({
      type: 'plan-performed',
      session: run,
      at: now(),
      plan: plan.id,
      rung: plan.rung,
    });
  await countAnew(store, now());
  return undefined;
}

/** For an agent that says "done" although the check fails. */
export const isNotDone = ({ command }: { command: string }): string =>
  `You say that the task is done; \`${command}\` says that it is not.`;

/** Restarts the loop counts after somebody decided that the run continues. */
export async function countAnew(store: RunStore, at: number): Promise<void> {
  store.state.since = store.state.iteration;
  await store.observe({ type: 'user-spoke', session: store.run, at });
}

const adviceFor = (words: string): string =>
  `You are repeating yourself. ${words}\n\nDo not repeat anything on the list above. Take a different approach, and say which one.`;
