import { taskLoop } from '../detectors/task-loop/detector.ts';
import type { ContextEntry, Ledger } from '../ledger/ledger.ts';
import type { AgentContext, AgentRun, RunAgent } from './agent.ts';
import type { LoopResult } from './detect-task-loop.ts';
import { type Judgement, judgeAttempt, judgeChecks } from './judge-attempt.ts';
import { reportFormat } from './read-report.ts';
import type { Check, RoadmapTask } from './roadmap.ts';
import { restand, standingOf } from './standing.ts';
import type { TaskGuard } from './task-guard.ts';
import type { TaskStore } from './task-store.ts';
import { changedFiles, workspaceTree } from './workspace.ts';
import type { Worktrees } from './worktrees.ts';

/** What an attempt needs beside its task. */
export interface AttemptMeans {
  run: string;
  folder: string;
  ledger: Ledger;
  store: TaskStore;
  guard: TaskGuard;
  runAgent: RunAgent;
  checks: Readonly<Record<string, Check>>;
  promise: string;
  /** Ends the run. */
  stopped: AbortSignal;
  worktrees: Worktrees | undefined;
  now: () => number;
  /** Milliseconds that the run has taken by now. */
  spent: () => number;
  /** Milliseconds that the run may still take. */
  left: () => number | undefined;
}

/** Runs an agent on a task, judges what came of it, and records that in one step. An attempt that has begun is known to have, whatever happens. */
export async function attemptTask(
  means: AttemptMeans,
  task: RoadmapTask,
  loop: LoopResult,
): Promise<{ attempt: number; judgement: Judgement }> {
  const { store, worktrees, folder, checks, promise, stopped: signal } = means;
  const { deferred, onlyChecks } = standingOf(store.state, task);
  const { total = 0, earlier = 0 } = store.state.tasks[task.id] ?? {};
  const attempt = earlier + total + 1;
  const attemptSession = `${task.id}#${attempt}`;
  await store.change((state) => {
    state.begun[task.id] = { session: attemptSession, at: means.now() };
    state.tickCount++;
  });
  const cwd = (await worktrees?.open(task)) ?? folder;
  const bench = { task, checks, deferred, promise, cwd, signal };
  let run: AgentRun = { output: '', exitCode: 0 };
  let judgement: Judgement;
  if (onlyChecks) judgement = await judgeChecks({ status: 'in_progress', blockers: [], work: [], onlyChecks: false }, bench);
  else {
    const before = await workspaceTree(cwd);
    run = await runOn(means, loop, { cwd, task, attempt, attemptSession });
    judgement = await judgeAttempt(run, bench);
    if (before !== undefined) judgement.work.push(...(await changedFiles(cwd, before, await workspaceTree(cwd))));
  }
  if (judgement.status === 'done' && worktrees && !(await worktrees.merge(task).catch(() => false)))
    judgement = { ...judgement, status: 'needs_review', blockers: ['its branch cannot be merged'] };
  await record(means, task, attemptSession, run, judgement);
  return { attempt, judgement };
}

async function runOn(means: AttemptMeans, loop: LoopResult, context: Omit<AgentContext, 'signal'>): Promise<AgentRun> {
  const { ledger, run, runAgent, promise, stopped } = means;
  const told = await ledger.context({ session: run, topics: PROMPT_TOPICS, last: 20 }).catch(() => []);
  const left = means.left();
  const signal = left === undefined ? stopped : AbortSignal.any([stopped, AbortSignal.timeout(left)]);
  try {
    return await runAgent(promptFor({ task: context.task, promise, context: told, loop }), { ...context, signal });
  } catch (error) {
    return { output: error instanceof Error ? error.message : String(error), exitCode: null, failed: true };
  }
}

/** The attempt, where the task stands now, and what it cost: all of it or nothing. */
function record(means: AttemptMeans, task: RoadmapTask, session: string, run: AgentRun, judgement: Judgement): Promise<void> {
  const { store, guard, stopped } = means;
  const { status, blockers, work, onlyChecks } = judgement;
  const { cost, failed = run.exitCode !== 0 } = run;
  const interrupted = stopped.aborted && status !== 'done';
  const complexity = task.complexity === undefined ? {} : { complexity: task.complexity };
  void guard.recordAttempt(task.id, status, blockers, work, session, { interrupted, ...complexity, ...(cost ? { cost } : {}) });
  const problem = failed && !interrupted ? run.problem : undefined;
  const spent = means.spent();
  return store.change((state) => {
    restand(state, task, { status, onlyChecks, reason: blockers.length > 0 ? blockers.join('; ') : problem });
    state.cost.tokens += cost?.tokens ?? 0;
    state.cost.usd += cost?.usd ?? 0;
    state.spent = spent;
    state.errors = failed && status !== 'done' && !interrupted ? state.errors + 1 : 0;
    if (problem === undefined) delete state.problem;
    else state.problem = problem;
  });
}

/** Of the entries that a prompt includes. */
const PROMPT_TOPICS: readonly string[] = ['loop_recovery_directive', 'unblock_authority', 'loop_escalation'];

const MAX_ENTRIES = 5;
const MAX_TRIED = 3;

interface PromptParts {
  task: RoadmapTask;
  promise: string;
  /** What recoveries left, the oldest first. */
  context: readonly ContextEntry[];
  loop: LoopResult;
}

/** What an agent is told: the task, what recoveries have said, what was tried, and how to report. */
function promptFor({ task, promise, context, loop }: PromptParts): string {
  // Authority is for its own task alone. That others are set aside concerns every task; that this one was, none, as somebody wants it tried.
  const told = context.filter(({ topic, relatedTasks }) => relatedTasks.includes(task.id) === (topic === 'unblock_authority'));
  const tried = loop.evidence.slice(-MAX_TRIED);
  const parts = [
    task.prompt.trim(),
    `This is task ${task.id}: ${task.title}. Work on it alone.`,
    ...told.slice(-MAX_ENTRIES).map(({ content }) => content),
    ...(tried.length > 0 ? [`What earlier attempts came to:\n${tried.map((line) => `- ${line}`).join('\n')}`] : []),
    ...(loop.isLooping ? [`Note: ${loop.reason} This time: ${(taskLoop.moves as readonly string[]).join('; or ')}.`] : []),
    reportFormat(promise),
  ];
  return parts.join('\n\n');
}
