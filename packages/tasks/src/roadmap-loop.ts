import { EventEmitter } from 'node:events';
import { UnrutError } from '@unrut/engine/errors';
import { errorReason } from '@unrut/engine/redact/reason';
import { type AttemptMeans, attemptTask, NOTHING } from './attempt-task.ts';
import { runChecks } from './checks.ts';
import { guardOver } from './create-task-guard.ts';
import type { LoopResult } from './detect-task-loop.ts';
import { changedAt, idleDelay, waitForChange } from './idle-backoff.ts';
import { isAvailable, type Judgement, judgeChecks, unavailableCheck } from './judge-attempt.ts';
import type { TaskHost } from './known-tasks.ts';
import { limitReached } from './limits.ts';
import type { Roadmap, RoadmapTask } from './roadmap.ts';
import type { RoadmapResult, RoadmapRunOptions, RoadmapStatus } from './roadmap-run.ts';
import { endingOf, figuresOf, roadmapStatusOf } from './run-status.ts';
import { isAlive, thisRunner } from './runner.ts';
import { type ScheduleDecision, schedule, whyNothing } from './scheduler.ts';
import { allowMore, reopen, restand, standingOf } from './standing.ts';
import type { TaskGuard } from './task-guard.ts';
import { type TaskSettings, taskSettings } from './task-options.ts';
import { type BlockerOutcomes, own, put } from './task-state.ts';
import { TaskStore } from './task-store.ts';
import { workLoop } from './work-loop.ts';
import { openWorkspace, type Workspace } from './workspace.ts';
import { openWorktrees, type Worktrees } from './worktrees.ts';

/** The result of one tick. */
export interface TickResult {
  success: boolean;
  action: ScheduleDecision;
  /** Milliseconds. */
  duration: number;
  details: {
    loopRecoveryApplied?: boolean;
    loop?: LoopResult;
    completedWork?: string[];
    status?: string;
  };
}

/** Events that a loop emits. */
export interface RoadmapEvents {
  decided: [ScheduleDecision];
  loop: [LoopResult];
  recovered: [LoopResult];
  attempted: [{ task: RoadmapTask; attempt: number; judgement: Judgement }];
  idle: [{ reason: string; milliseconds: number }];
  ended: [RoadmapResult];
}

/** Default number of attempts at one task. */
const MAX_ITERATIONS = 10;
const FIFTEEN_MINUTES = 900_000;

type Ending = Pick<RoadmapResult, 'ending' | 'reason' | 'limit'>;
type TaskDecision = Extract<ScheduleDecision, { type: 'run_task' }>;

/** Works through a roadmap tick by tick: read the state, decide, check for loops, run, record. */
export class RoadmapLoop extends EventEmitter<RoadmapEvents> {
  readonly guard: TaskGuard;
  readonly #options: RoadmapRunOptions;
  readonly #settings: TaskSettings;
  readonly #store: TaskStore;
  readonly #stopped = new AbortController();
  readonly #running = new Set<string>();
  #roadmap!: Roadmap;
  #byId = new Map<string, RoadmapTask>();
  #worktrees: Worktrees | undefined;
  #isRunning = false;
  #started: number | undefined;
  #spentBefore = 0;
  #providerLimit: string | undefined;
  /** Modification time of the watched file when it was last read. */
  #read: number | undefined;
  readonly #workspaces = new Map<string, Promise<Workspace>>();

  constructor(options: RoadmapRunOptions) {
    super();
    const { parallel = 1, limits = {}, log, guard, run, ledger, signal } = options;
    if (!Number.isInteger(parallel) || parallel < 1)
      throw new UnrutError(
        'bad-option',
        `[tasks] parallel takes a whole number, 1 or more; got ${String(parallel)}.`,
      );
    this.#options = options;
    this.#take(options.roadmap);
    if (options.watch) this.#read = changedAt(options.watch.file);
    const budgetLeft = (): number =>
      limitReached(this.#store.state, this.#spent(), limits, this.#settings.now()).left;
    this.#settings = taskSettings({ budgetLeft, ...(log ? { log } : {}), ...guard, run });
    this.#store = new TaskStore(ledger, run, this.#settings);
    this.guard = guardOver({
      ledger,
      store: this.#store,
      tasks: this.#host(),
      settings: this.#settings,
    });
    if (signal?.aborted) this.stop();
    else signal?.addEventListener('abort', () => this.stop(), { once: true });
  }

  getStatus(): RoadmapStatus {
    return roadmapStatusOf(
      this.#store.state,
      this.#options.run,
      this.#roadmap.tasks,
      this.#isRunning,
    );
  }

  /** How workarounds for known kinds of blockers did in this run. */
  get learned(): BlockerOutcomes {
    return structuredClone(this.#store.state.blockers);
  }

  /** Ends the running agents, then the run. */
  stop(): void {
    this.#stopped.abort();
  }

  /** Performs a single tick. */
  async tick(): Promise<TickResult> {
    await this.#store.settled;
    await this.#freeUnavailable();
    return this.#perform(this.#decide());
  }

  /** Ticks until the roadmap is done or nothing more can be done. Call it once. */
  async run(): Promise<RoadmapResult> {
    await this.#begin();
    let idleFor = '';
    try {
      const { given } = await workLoop<TaskDecision, { given: Ending | undefined }>({
        parallel: this.#options.parallel ?? 1,
        endsNow: () => {
          const given = this.#endsNow();
          return given && { given };
        },
        next: async () => {
          await this.#freeUnavailable();
          const decision = this.#decide();
          if (decision.type === 'run_task') return decision;
          idleFor = decision.reason;
          return undefined;
        },
        perform: async (decision) => {
          await this.#perform(decision);
          return undefined;
        },
        wait: async (times) =>
          (await this.#waitForWork(idleFor, times)) ? undefined : { given: undefined },
      });
      return this.#end(given);
    } finally {
      await this.#worktrees?.close();
      for (const workspace of this.#workspaces.values()) await (await workspace).close();
      await this.#store.change((state) => delete state.runner, { tasks: [] });
      this.#isRunning = false;
    }
  }

  async #begin(): Promise<void> {
    const {
      folder,
      run,
      parallel = 1,
      limits: { maxIterations = MAX_ITERATIONS } = {},
    } = this.#options;
    await this.#store.settled;
    const { runner, spent, begun } = this.#store.state;
    if (runner && isAlive(runner))
      throw new UnrutError(
        'running',
        `[tasks] ${run} is already running, as process ${runner.pid}. Wait for it, or stop it.`,
      );
    if (parallel > 1) this.#worktrees = await openWorktrees(folder, run);
    this.#isRunning = true;
    this.#started = this.#settings.now();
    this.#spentBefore = spent;
    for (const [id, { session }] of Object.entries(begun)) await this.#close(id, session);
    await this.#store.change(
      (state) => {
        state.errors = 0;
        state.runner = thisRunner();
        reopen(state, this.#roadmap.tasks);
        allowMore(state, this.#roadmap.tasks, maxIterations);
      },
      { tasks: this.#known() },
    );
    for (const task of this.#roadmap.tasks) await this.#acceptByHand(task);
  }

  /** Marks a task that was set aside as done if its exit criteria have been met since. */
  async #acceptByHand(task: RoadmapTask): Promise<void> {
    const { setAside, deferred } = standingOf(this.#store.state, task);
    if (!setAside || task.exitCriteria.length === 0) return;
    const { checks } = this.#roadmap;
    const bench = {
      task,
      checks,
      deferred,
      cwd: this.#options.folder,
      signal: this.#stopped.signal,
    };
    if (await runChecks(task.exitCriteria, bench)) return;
    const { status } = await judgeChecks(NOTHING, bench);
    if (status !== 'done' || this.#stopped.signal.aborted) return;
    this.#settings.log(`Task ${task.id} was set aside; its exit criteria pass now, so it is done.`);
    await this.#store.change(
      (state) => {
        const { setAside: _, reason: __, ...standing } = standingOf(state, task);
        put(state.standings, task.id, { ...standing, status: 'done' });
        const record = own(state.tasks, task.id);
        if (record) delete record.setAside;
      },
      { tasks: [task.id] },
    );
  }

  /** Ids of all tasks with a record. */
  #known(): string[] {
    const { tasks, standings } = this.#store.state;
    return [...new Set([...Object.keys(tasks), ...Object.keys(standings)])];
  }

  /**
   * Closes an attempt that an earlier process began. It counts as interrupted unless its work was
   * merged.
   */
  async #close(id: string, session: string): Promise<void> {
    const task = this.#find(id);
    const isMerged = task !== undefined && ((await this.#worktrees?.isMerged(task)) ?? false);
    const work = isMerged ? ['Merged before the run was cut off'] : [];
    void this.guard.recordAttempt(id, isMerged ? 'done' : 'in_progress', [], work, session, {
      interrupted: !isMerged,
    });
    if (task && isMerged)
      await this.#store.change((state) => restand(state, task, { status: 'done' }), {
        tasks: [id],
      });
  }

  /** Why the run ends before another task begins; undefined if it continues. */
  #endsNow(): Ending | undefined {
    if (this.#stopped.signal.aborted)
      return { ending: 'interrupted', reason: 'Interrupted. It can be resumed.' };
    if (this.#providerLimit !== undefined)
      return { ending: 'limit', limit: 'provider_limit', reason: this.#providerLimit };
    const { reached } = limitReached(
      this.#store.state,
      this.#spent(),
      this.#options.limits ?? {},
      this.#settings.now(),
    );
    return reached && { ending: 'limit', ...reached };
  }

  #end(given: Ending | undefined): RoadmapResult {
    const { state } = this.#store;
    const { tasks } = this.#roadmap;
    const ending = endingOf(tasks, state);
    const how = given ?? {
      ending,
      reason: whyNothing(tasks, state),
      ...(ending === 'limit' ? { limit: 'max_iterations' as const } : {}),
    };
    const result = { ...how, ...figuresOf(state, tasks), milliseconds: this.#spent() };
    this.emit('ended', result);
    return result;
  }

  /**
   * Chooses the next task and reserves it. Never chooses a task that was set aside, whatever the
   * scheduler says.
   */
  #decide(): ScheduleDecision {
    const { scheduler = schedule, limits: { maxIterations = MAX_ITERATIONS } = {} } = this.#options;
    for (;;) {
      const { state } = this.#store;
      const decision = scheduler(this.#roadmap.tasks, state, this.#running);
      if (decision.type === 'idle') return decision;
      const { task } = decision;
      if (standingOf(state, task).setAside)
        return { type: 'idle', reason: `${task.id} was set aside.` };
      if ((own(state.tasks, task.id)?.total ?? 0) < maxIterations) {
        this.#running.add(task.id);
        this.emit('decided', decision);
        return decision;
      }
      const reason = `Attempted ${maxIterations === 1 ? 'once' : `${maxIterations} times`}, the max (max_iterations).`;
      void this.#store.change(
        (each) => restand(each, task, { status: 'needs_review', reason, setAside: 'limit' }),
        { tasks: [task.id] },
      );
    }
  }

  async #perform(decision: ScheduleDecision): Promise<TickResult> {
    const began = this.#settings.now();
    const finish = (details: TickResult['details'], success = true): TickResult => {
      return { success, action: decision, duration: this.#settings.now() - began, details };
    };
    if (decision.type === 'idle') return finish({});
    const { task } = decision;
    try {
      const loop = this.guard.detectLoop(task.id);
      if (loop.isLooping) this.emit('loop', loop);
      if (loop.isLooping && loop.recommendation !== 'continue')
        return finish({ loopRecoveryApplied: true, loop: await this.#recover(loop) });
      const { attempt, judgement, limit } = await attemptTask(this.#means(), task);
      this.#providerLimit = limit;
      if (limit !== undefined) return finish({}, false);
      this.emit('attempted', { task, attempt, judgement });
      const completedWork = [...judgement.work, ...judgement.said];
      return finish({
        completedWork,
        status: judgement.status,
        ...(loop.isLooping ? { loop } : {}),
      });
    } catch (error) {
      this.#settings.onFault(error);
      await this.#store.change((state) => void state.errors++, { tasks: [] });
      return finish({}, false);
    } finally {
      this.#running.delete(task.id);
    }
  }

  async #recover(loop: LoopResult): Promise<LoopResult> {
    const applied = await this.guard.applyRecovery(loop);
    const task = this.#find(applied.taskId);
    await this.#store.change(
      (state) => {
        state.tickCount++;
        if (!task || applied.recommendation === 'unblock_authority') return;
        restand(state, task, {
          setAside: applied.recommendation === 'escalate' ? 'escalated' : 'loop',
        });
      },
      { tasks: [applied.taskId] },
    );
    this.emit('recovered', applied);
    return applied;
  }

  #means(): AttemptMeans {
    const {
      folder,
      runAgent,
      promise = 'TASK_COMPLETE',
      limits = {},
      notes = () => [],
      looksAtFiles = true,
    } = this.#options;
    const { maxRuntime = Number.POSITIVE_INFINITY, iterationTimeout = FIFTEEN_MINUTES } = limits;
    return {
      folder,
      runAgent,
      promise,
      notes,
      store: this.#store,
      guard: this.guard,
      checks: this.#roadmap.checks,
      stopped: this.#stopped.signal,
      worktrees: this.#worktrees,
      spent: () => this.#spent(),
      timeout: () => Math.max(0, Math.min(iterationTimeout, maxRuntime - this.#spent())),
      workspaceOf: async (cwd) => {
        if (!looksAtFiles) return undefined;
        const workspace = this.#workspaces.get(cwd) ?? openWorkspace(cwd);
        this.#workspaces.set(cwd, workspace);
        return workspace;
      },
    };
  }

  #take(roadmap: Roadmap): void {
    this.#roadmap = roadmap;
    this.#byId = new Map(roadmap.tasks.map((task) => [task.id, task]));
  }

  #find(id: string): RoadmapTask | undefined {
    return this.#byId.get(id);
  }

  /** Lets recoveries change the status of roadmap tasks. */
  #host(): TaskHost {
    return {
      get: (id) => {
        const task = this.#find(id);
        if (!task) return undefined;
        const { title, prompt, unblock = false } = task;
        return { status: standingOf(this.#store.state, task).status, title, prompt, unblock };
      },
      setStatus: (id, status, reason) => {
        const task = this.#find(id);
        return (
          task &&
          this.#store.change((state) => restand(state, task, { status, reason }), { tasks: [id] })
        );
      },
    };
  }

  #freeUnavailable(): Promise<void> {
    const { log } = this.#settings;
    return freeUnavailable(this.#roadmap, this.#store, {
      cwd: this.#options.folder,
      signal: this.#stopped.signal,
      log,
    });
  }

  /** Returns false if there is nothing to wait for. */
  async #waitForWork(reason: string, idle: number): Promise<boolean> {
    const { watch, run } = this.#options;
    if (!watch) return false;
    const milliseconds = idleDelay(idle);
    this.emit('idle', { reason, milliseconds });
    const event = { type: 'idle', session: run, at: this.#settings.now(), reason } as const;
    await this.#store.change((state) => void state.tickCount++, { tasks: [], event });
    await waitForChange(watch.file, milliseconds, this.#read, this.#stopped.signal);
    try {
      this.#read = changedAt(watch.file);
      this.#take(await watch.read());
      await this.#store.change((state) => reopen(state, this.#roadmap.tasks), {
        tasks: this.#known(),
      });
    } catch (error) {
      this.#settings.log(errorReason(error));
    }
    return true;
  }

  #spent(): number {
    return this.#started === undefined
      ? this.#spentBefore
      : this.#spentBefore + this.#settings.now() - this.#started;
  }
}

/**
 * Works through a roadmap until it is done or nothing more can be done. Rejects only if the ledger
 * or the project cannot be used.
 */
export const runRoadmap = (options: RoadmapRunOptions): Promise<RoadmapResult> =>
  new RoadmapLoop(options).run();

/**
 * Returns tasks to pending that are blocked only by checks that cannot be run. These checks are
 * deferred while they stay unavailable; all others remain required.
 */
async function freeUnavailable(
  { tasks, checks }: Roadmap,
  store: TaskStore,
  { cwd, signal, log }: { cwd: string; signal: AbortSignal; log: (line: string) => void },
): Promise<void> {
  if (Object.keys(checks).length === 0) return;
  for (const task of tasks) {
    // A task that its author marked as blocked waits for something else.
    if (task.status === 'blocked') continue;
    const { status, setAside } = standingOf(store.state, task);
    const blockers = store.state.tasks[task.id]?.attempts.at(-1)?.blockers ?? [];
    const names = blockers.map((blocker) => unavailableCheck(blocker) ?? '');
    if (
      status !== 'blocked' ||
      setAside ||
      names.length === 0 ||
      !names.every((name) => Object.hasOwn(checks, name))
    )
      continue;
    const available = await Promise.all(
      names.map((name) => isAvailable(checks[name]!, cwd, signal)),
    );
    const missing = names.filter((_, i) => !available[i]);
    for (const name of missing) log(`Check ${name} is unavailable: deferred for task ${task.id}`);
    const reason = missing.length > 0 ? `deferred: ${missing.join(', ')}` : 'its checks are back';
    await store.change(
      (state) => {
        const deferred = [...new Set([...standingOf(state, task).deferred, ...missing])];
        restand(state, task, { status: 'pending', deferred, reason });
      },
      { tasks: [task.id] },
    );
  }
}
