import { type AgentContext, type AgentRun, problemText, type RunAgent } from './agent.ts';
import { type Iteration, runIteration } from './iteration.ts';
import { type Judgement, judgeAttempt, judgeChecks } from './judge-attempt.ts';
import { reportFormat } from './read-report.ts';
import type { Check, RoadmapTask } from './roadmap.ts';
import { restand, standingOf } from './standing.ts';
import type { TaskGuard } from './task-guard.ts';
import { own, put } from './task-state.ts';
import type { TaskStore } from './task-store.ts';
import { startWork, type WorkMemory, withOwnCount } from './work.ts';
import type { Workspace } from './workspace.ts';
import type { Worktrees } from './worktrees.ts';

/** What an attempt needs besides its task. */
export interface AttemptMeans {
  folder: string;
  store: TaskStore;
  guard: TaskGuard;
  runAgent: RunAgent;
  checks: Readonly<Record<string, Check>>;
  promise: string;
  /** Ends the run. */
  stopped: AbortSignal;
  worktrees: Worktrees | undefined;
  /** Milliseconds that the run has taken by now. */
  spent: () => number;
  /** Milliseconds that the next attempt may take. */
  timeout: () => number;
  /** Undefined if files are not examined. */
  workspaceOf: (cwd: string) => Promise<Workspace | undefined>;
  /** Notes that the user wants in every prompt. */
  notes: () => Promise<string[]> | string[];
}

/** The result of an attempt. */
export interface Attempted {
  attempt: number;
  judgement: Judgement;
  /** Why the run has to end: a limit of the provider. The attempt does not count. */
  limit?: string;
}

/** The judgement of an attempt that has not ended. */
export const NOTHING: Judgement = {
  status: 'in_progress',
  blockers: [],
  work: [],
  said: [],
  onlyChecks: false,
};

/**
 * Runs an agent on a task, judges the result, and records both in one transaction. The start of the
 * attempt is recorded first, so that a crash leaves a trace.
 */
export async function attemptTask(means: AttemptMeans, task: RoadmapTask): Promise<Attempted> {
  const { store, worktrees, folder, checks, stopped: signal } = means;
  const { deferred, onlyChecks } = standingOf(store.state, task);
  const { total = 0, earlier = 0, work = startWork() } = own(store.state.tasks, task.id) ?? {};
  const attempt = earlier + total + 1;
  const session = `${task.id}#${attempt}`;
  await store.change(
    (state) => {
      put(state.begun, task.id, { session });
      state.tickCount++;
    },
    { tasks: [] },
  );
  const cwd = (await worktrees?.open(task)) ?? folder;
  const bench = { task, checks, deferred, cwd, signal };
  const memory = structuredClone(work);
  const one = onlyChecks
    ? undefined
    : await runOn(means, { cwd, task, attempt, attemptSession: session }, memory);
  if (one?.run.limit !== undefined) {
    await store.change((state) => delete state.begun[task.id], { tasks: [] });
    return { attempt, judgement: NOTHING, limit: one.run.limit };
  }
  let judgement = await (one ? judgeAttempt(one, session, bench) : judgeChecks(NOTHING, bench));
  if (judgement.status === 'done' && worktrees && !(await worktrees.merge(task).catch(() => false)))
    judgement = { ...judgement, status: 'needs_review', blockers: ['its branch cannot be merged'] };
  await record(means, { task, session, one, judgement, memory });
  return { attempt, judgement };
}

async function runOn(
  means: AttemptMeans,
  context: Omit<AgentContext, 'signal' | 'timeout'>,
  memory: WorkMemory,
): Promise<Iteration<AgentRun>> {
  const { guard, runAgent, promise, stopped } = means;
  const { task, cwd } = context;
  const parts = [task.prompt.trim(), `This is task ${task.id}: ${task.title}. Work on it alone.`];
  const prompt = [
    ...parts,
    ...(await means.notes()),
    ...(await guard.promptFor(task.id)),
    reportFormat(promise),
  ].join('\n\n');
  const timeout = means.timeout();
  // For an agent that ignores its time limit.
  const signal = AbortSignal.any([stopped, AbortSignal.timeout(timeout + OVERTIME)]);
  const one = await runIteration({
    task: task.prompt,
    prompt,
    promise,
    memory,
    cwd,
    signal: stopped,
    workspace: await means.workspaceOf(cwd),
    checks: () => task.exitCriteria,
    async runAgent() {
      try {
        return await runAgent(prompt, { ...context, signal, timeout });
      } catch (error) {
        const output = error instanceof Error ? error.message : String(error);
        return { output, exitCode: null, failed: true, problem: problemText(output) };
      }
    },
  });
  return { ...one, work: withOwnCount(memory, one.work, one.run.output, one.failedCheck) };
}

const OVERTIME = 1000;

interface Ended {
  task: RoadmapTask;
  session: string;
  one: Iteration<AgentRun> | undefined;
  judgement: Judgement;
  memory: WorkMemory;
}

/** Records the attempt, the task's new status and the cost in one transaction. */
function record(
  means: AttemptMeans,
  { task, session, one, judgement, memory }: Ended,
): Promise<void> {
  const { store, guard, stopped } = means;
  const { status, blockers, work, said, onlyChecks } = judgement;
  const { cost } = one?.run ?? {};
  const interrupted = stopped.aborted && status !== 'done';
  const complexity = task.complexity === undefined ? {} : { complexity: task.complexity };
  void guard.recordAttempt(task.id, status, blockers, work, session, {
    interrupted,
    said,
    work: memory,
    ...complexity,
    ...(cost ? { cost } : {}),
  });
  const problem = one?.failed && !interrupted ? one.problem : undefined;
  const spent = means.spent();
  return store.change(
    (state) => {
      restand(state, task, {
        status,
        onlyChecks,
        reason: blockers.length > 0 ? blockers.join('; ') : problem,
      });
      state.cost.tokens += cost?.tokens ?? 0;
      state.cost.usd += cost?.usd ?? 0;
      state.spent = spent;
      state.errors = one?.failed && status !== 'done' && !interrupted ? state.errors + 1 : 0;
      if (problem === undefined) delete state.problem;
      else state.problem = problem;
    },
    { tasks: [task.id] },
  );
}
