import { EventEmitter } from 'node:events';
import { uptime } from 'node:os';
import { UnrutError } from '../errors.ts';
import type { AgentRun } from './agent.ts';
import { freeUnavailable } from './availability.ts';
import { guardOver, type TaskGuard } from './create-task-guard.ts';
import type { LoopResult } from './detect-task-loop.ts';
import { endingOf, summarise } from './ending.ts';
import { idleDelay, waitForChange } from './idle-backoff.ts';
import { type Judgement, judgeAttempt, judgeChecks } from './judge-attempt.ts';
import { limitReached } from './limits.ts';
import { PROMPT_TOPICS, promptFor } from './prompt-for.ts';
import type { Roadmap, RoadmapTask } from './roadmap.ts';
import type { RoadmapEnding, RoadmapResult, RoadmapRunOptions, TaskSummary } from './run-roadmap.ts';
import { type Decision, schedule, whyNothing } from './scheduler.ts';
import { reopened, restand, standingOf } from './standing.ts';
import { type TaskSettings, taskSettings } from './task-options.ts';
import { TaskStore } from './task-store.ts';
import { changedFiles, workspaceTree } from './workspace.ts';
import { openWorktrees, type Worktrees } from './worktrees.ts';

/** What a tick did. */
export interface TickResult {
  success: boolean;
  action: Decision;
  /** Milliseconds. */
  duration: number;
  details: { loopRecoveryApplied?: boolean; loop?: LoopResult; completedWork?: string[]; status?: string };
}

/** What a loop tells those who listen. */
export interface RoadmapEvents {
  decided: [Decision];
  loop: [LoopResult];
  recovered: [LoopResult];
  attempted: [{ task: RoadmapTask; attempt: number; judgement: Judgement }];
  idle: [{ reason: string; milliseconds: number }];
  ended: [RoadmapResult];
}

/** The status object of a run. */
export interface RoadmapStatus {
  run: string;
  running: boolean;
  tickCount: number;
  loopDetection: Record<string, { attemptCount: number; lastAttempt: number }>;
  tasks: TaskSummary[];
  cost: { tokens: number; usd: number };
}

/** Works through a roadmap, tick by tick: read the state, decide, check for loops, run, record. */
export class RoadmapLoop extends EventEmitter<RoadmapEvents> {
  readonly guard: TaskGuard;
  readonly #options: RoadmapRunOptions;
  readonly #settings: TaskSettings;
  readonly #store: TaskStore;
  readonly #promise: string;
  readonly #stopped = new AbortController();
  readonly #running = new Set<string>();
  #roadmap: Roadmap;
  #worktrees: Worktrees | undefined;
  #isRunning = false;
  #started = 0;
  #spentBefore = 0;

  constructor(options: RoadmapRunOptions) {
    super();
    const { parallel = 1, limits = {}, guard = {} } = options;
    if (!Number.isInteger(parallel) || parallel < 1)
      throw new UnrutError('bad-option', `[tasks] parallel takes a whole number from 1 on; got ${String(parallel)}.`);
    this.#options = options;
    this.#roadmap = options.roadmap;
    this.#promise = options.promise ?? 'TASK_COMPLETE';
    this.#settings = taskSettings({
      budgetLeft: () => limitReached(this.#store.state, this.#spent(), limits).left,
      log: options.log ?? (() => {}),
      ...guard,
      run: options.run,
    });
    this.#store = new TaskStore(options.ledger, options.run, this.#settings.onFault);
    this.guard = guardOver(this.#store, this.#host(), this.#settings);
    options.signal?.addEventListener('abort', () => this.stop(), { once: true });
  }

  getStatus(): RoadmapStatus {
    const { tickCount, cost } = this.#store.state;
    return {
      ...{ run: this.#options.run, running: this.#isRunning, tickCount, loopDetection: this.guard.getStatus() },
      tasks: summarise(this.#roadmap.tasks, this.#store.state),
      cost: { ...cost },
    };
  }

  /** Ends the agents that run, and then the run. */
  stop(): void {
    this.#stopped.abort();
  }

  /** One turn by itself. */
  async tick(): Promise<TickResult> {
    await this.#freeUnavailable();
    return this.#perform(this.#decide());
  }

  /** Ticks until the roadmap is done or nothing more can be done. To be called once. */
  async run(): Promise<RoadmapResult> {
    const { parallel = 1 } = this.#options;
    await this.#begin();
    const ticking = new Set<Promise<unknown>>();
    let idle = 0;
    try {
      for (;;) {
        const ending = this.#endsNow();
        if (ending) return await this.#end(ending, ticking);
        await this.#freeUnavailable();
        const decision = ticking.size < parallel ? this.#decide() : undefined;
        if (decision?.type === 'run_task') {
          const tick = this.#perform(decision).finally(() => ticking.delete(tick));
          ticking.add(tick);
          idle = 0;
        }
        if (ticking.size >= parallel || (ticking.size > 0 && decision?.type === 'idle')) await Promise.race(ticking);
        else if (decision?.type === 'idle' && !(await this.#waitForWork(decision.reason, ++idle)))
          return await this.#end(undefined, ticking);
      }
    } finally {
      await Promise.allSettled(ticking);
      await this.#worktrees?.close();
      await this.#store.change((state) => delete state.runner);
      this.#isRunning = false;
    }
  }

  async #begin(): Promise<void> {
    const { folder, run, parallel = 1 } = this.#options;
    await this.#store.settled;
    const { runner, spent } = this.#store.state;
    if (runner && isAlive(runner))
      throw new UnrutError('running', `[tasks] The run ${run} is being worked on by process ${runner.pid}. Wait for it, or end it.`);
    if (parallel > 1) this.#worktrees = await openWorktrees(folder, run);
    this.#isRunning = true;
    this.#started = this.#settings.now();
    this.#spentBefore = spent;
    const cutOff = Object.entries(this.#store.state.begun);
    for (const [task, { session }] of cutOff) void this.guard.recordAttempt(task, 'in_progress', [], [], session, { interrupted: true });
    await this.#store.change((state) => {
      state.errors = 0;
      state.runner = { pid: process.pid, booted: booted() };
      for (const task of this.#roadmap.tasks.filter((each) => reopened(state, each))) {
        delete state.tasks[task.id];
        delete state.standings[task.id];
      }
    });
  }

  /** What ends the run before another task is begun. */
  #endsNow(): { ending: RoadmapEnding; reason: string } | undefined {
    if (this.#stopped.signal.aborted) return { ending: 'interrupted', reason: 'Interrupted. It can be resumed.' };
    const { reason } = limitReached(this.#store.state, this.#spent(), this.#options.limits ?? {});
    return reason === undefined ? undefined : { ending: 'limit', reason };
  }

  async #end(
    ending: { ending: RoadmapEnding; reason: string } | undefined,
    ticking: ReadonlySet<Promise<unknown>>,
  ): Promise<RoadmapResult> {
    await Promise.allSettled(ticking);
    const { state } = this.#store;
    const { tasks } = this.#roadmap;
    const how = ending ?? { ending: endingOf(tasks, state), reason: whyNothing(tasks, state) };
    const result: RoadmapResult = { ...how, tasks: summarise(tasks, state), tickCount: state.tickCount, cost: { ...state.cost } };
    this.emit('ended', result);
    return result;
  }

  /** Chooses what to do, and keeps others from choosing it as well. */
  #decide(): Decision {
    const { scheduler = schedule, limits: { maxIterations = 10 } = {} } = this.#options;
    for (;;) {
      const { state } = this.#store;
      const decision = scheduler(this.#roadmap.tasks, state, this.#running);
      if (decision.type === 'idle') return decision;
      const { task } = decision;
      if ((state.tasks[task.id]?.total ?? 0) < maxIterations) {
        this.#running.add(task.id);
        this.emit('decided', decision);
        return decision;
      }
      const reason = `It was attempted ${maxIterations} times, as often as allowed.`;
      if (standingOf(state, task).setAside) return { type: 'idle', reason };
      void this.#store.change((each) => restand(each, task, { status: 'needs_review', reason, setAside: 'limit' }));
    }
  }

  async #perform(decision: Decision): Promise<TickResult> {
    const began = this.#settings.now();
    const finish = (details: TickResult['details'], success = true): TickResult => ({
      ...{ success, action: decision, duration: this.#settings.now() - began, details },
    });
    if (decision.type === 'idle') return finish({});
    const { task } = decision;
    try {
      const loop = this.guard.detectLoop(task.id);
      if (loop.isLooping) this.emit('loop', loop);
      if (loop.isLooping && loop.recommendation !== 'continue') {
        await this.#store.change((state) => void state.tickCount++);
        const applied = await this.guard.applyRecovery(loop);
        this.emit('recovered', applied);
        return finish({ loopRecoveryApplied: true, loop: applied });
      }
      const judgement = await this.#attempt(task, loop);
      return finish({ completedWork: judgement.work, status: judgement.status, ...(loop.isLooping ? { loop } : {}) });
    } catch (error) {
      this.#settings.onFault(error);
      await this.#store.change((state) => void state.errors++);
      return finish({}, false);
    } finally {
      this.#running.delete(task.id);
    }
  }

  /** Runs an agent on the task, judges what came of it, and records both in one step. */
  async #attempt(task: RoadmapTask, loop: LoopResult): Promise<Judgement> {
    const { signal } = this.#stopped;
    const { deferred, onlyChecks } = standingOf(this.#store.state, task);
    const attempt = (this.#store.state.tasks[task.id]?.total ?? 0) + 1;
    const session = `${task.id}#${attempt}`;
    await this.#store.change((state) => {
      state.begun[task.id] = { session, at: this.#settings.now() };
      state.tickCount++;
    });
    const cwd = (await this.#worktrees?.open(task)) ?? this.#options.folder;
    const bench = { task, checks: this.#roadmap.checks, deferred, promise: this.#promise, cwd, signal };
    let run: AgentRun = { output: '', exitCode: 0 };
    let judgement: Judgement;
    if (onlyChecks) judgement = await judgeChecks({ status: 'in_progress', blockers: [], work: [], onlyChecks: false }, bench);
    else {
      const before = await workspaceTree(cwd);
      run = await this.#runAgent(task, loop, { cwd, attempt, attemptSession: session });
      judgement = await judgeAttempt(run, bench);
      judgement.work.push(...(await changedFiles(cwd, before, await workspaceTree(cwd))));
    }
    if (judgement.status === 'done' && this.#worktrees && !(await this.#worktrees.merge(task).catch(() => false)))
      judgement = { ...judgement, status: 'needs_review', blockers: ['its branch cannot be merged'] };
    const interrupted = signal.aborted && judgement.status !== 'done';
    await this.#record(task, session, run, judgement, interrupted);
    this.emit('attempted', { task, attempt, judgement });
    return judgement;
  }

  async #runAgent(task: RoadmapTask, loop: LoopResult, where: { cwd: string; attempt: number; attemptSession: string }): Promise<AgentRun> {
    const { ledger, run, runAgent, limits } = this.#options;
    const context = await ledger.context({ session: run, topics: PROMPT_TOPICS, last: 20 }).catch(() => []);
    const prompt = promptFor({ task, promise: this.#promise, context, loop });
    const left = limits?.maxRuntime === undefined ? undefined : Math.max(0, limits.maxRuntime - this.#spent());
    const signal = left === undefined ? this.#stopped.signal : AbortSignal.any([this.#stopped.signal, AbortSignal.timeout(left)]);
    try {
      return await runAgent(prompt, { ...where, task, signal });
    } catch (error) {
      return { output: error instanceof Error ? error.message : String(error), exitCode: null, failed: true };
    }
  }

  /** The attempt, where the task stands now, and what it cost: all of it or nothing. */
  #record(task: RoadmapTask, session: string, run: AgentRun, judgement: Judgement, interrupted: boolean): Promise<void> {
    const { status, blockers, work, onlyChecks } = judgement;
    const { cost, failed = run.exitCode !== 0 } = run;
    const complexity = task.complexity === undefined ? {} : { complexity: task.complexity };
    void this.guard.recordAttempt(task.id, status, blockers, work, session, { interrupted, ...complexity, ...(cost ? { cost } : {}) });
    const spent = this.#spent();
    return this.#store.change((state) => {
      const reason = blockers.length > 0 ? { reason: blockers.join('; ') } : {};
      restand(state, task, { status, onlyChecks, ...reason });
      state.cost.tokens += cost?.tokens ?? 0;
      state.cost.usd += cost?.usd ?? 0;
      state.spent = spent;
      state.errors = failed && status !== 'done' && !interrupted ? state.errors + 1 : 0;
    });
  }

  /** Recoveries change where a task of the roadmap stands through this. */
  #host(): Parameters<typeof guardOver>[1] {
    const find = (id: string): RoadmapTask | undefined => this.#roadmap.tasks.find((task) => task.id === id);
    return {
      get: (id) => {
        const task = find(id);
        return task && standingOf(this.#store.state, task);
      },
      setStatus: (id, status, reason) => {
        const task = find(id);
        const setAside = status === 'blocked' ? 'escalated' : 'loop';
        return task && this.#store.change((state) => restand(state, task, { status, reason, setAside }));
      },
    };
  }

  #freeUnavailable(): Promise<void> {
    return freeUnavailable(this.#roadmap, this.#store, {
      cwd: this.#options.folder,
      signal: this.#stopped.signal,
      log: this.#settings.log,
    });
  }

  /** False when there is nothing to wait for. */
  async #waitForWork(reason: string, idle: number): Promise<boolean> {
    const { watch, run } = this.#options;
    if (!watch) return false;
    const milliseconds = idleDelay(idle);
    this.emit('idle', { reason, milliseconds });
    const at = this.#settings.now();
    await this.#store.change((state) => void state.tickCount++, { event: { type: 'idle', session: run, at, reason } });
    await waitForChange(watch.file, milliseconds, this.#stopped.signal);
    try {
      this.#roadmap = await watch.read();
    } catch (error) {
      this.#settings.log(error instanceof Error ? error.message : String(error));
    }
    return true;
  }

  #spent(): number {
    return this.#started === 0 ? this.#spentBefore : this.#spentBefore + this.#settings.now() - this.#started;
  }
}

const booted = (): number => Math.round(Date.now() / 1000 - uptime());

/** Whether the process is still there, on the machine as it was started then. */
function isAlive(runner: { pid: number; booted: number }): boolean {
  if (runner.pid === process.pid || Math.abs(runner.booted - booted()) > 10) return false;
  try {
    process.kill(runner.pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
