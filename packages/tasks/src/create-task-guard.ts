import { present } from '@unrut/engine/json';
import type { Outcome } from '@unrut/engine/outcome/outcome';
import { assertOptions, optionChecks } from '@unrut/engine/schema/checks';
import type { Ledger } from '@unrut/ledger/ledger';
import { createMemoryLedger } from '@unrut/ledger/memory';
import { applyTaskRecovery, outcomeEntries, TOPICS } from './apply-task-recovery.ts';
import { asSet } from './attempt.ts';
import { learnWays } from './blockers.ts';
import { detectTaskLoop, type LoopResult } from './detect-task-loop.ts';
import { KnownTasks, type TaskHost } from './known-tasks.ts';
import { attemptsIn } from './run-status.ts';
import { thisRunner } from './runner.ts';
import type { TaskGuard } from './task-guard.ts';
import { type TaskGuardOptions, type TaskSettings, taskSettings } from './task-options.ts';
import { addAttempt, MAX_ATTEMPTS, own, recordOf, type TaskState } from './task-state.ts';
import { TaskStore } from './task-store.ts';

const { keysOf, withMethods } = optionChecks;

const guardParts = keysOf({
  ledger: withMethods('append', 'entries', 'context'),
  tasks: withMethods('get', 'setStatus'),
});

/**
 * Creates a guard for the tasks of an orchestrator. Without `tasks` it records and advises, but
 * changes no status. Without `ledger` it keeps its state in memory.
 */
export function createTaskGuard(
  parts: { ledger?: Ledger; tasks?: TaskHost } = {},
  options: TaskGuardOptions = {},
): TaskGuard {
  assertOptions('[tasks]', parts, guardParts);
  const { ledger = createMemoryLedger(), tasks } = parts;
  const settings = taskSettings(options);
  const store = new TaskStore(ledger, settings.run, settings);
  return guardOver({ ledger, store, tasks, settings, isOwn: true });
}

interface GuardParts {
  ledger: Ledger;
  store: TaskStore;
  tasks: TaskHost | undefined;
  settings: TaskSettings;
  /**
   * The guard belongs to somebody else's orchestrator, so it counts the ticks and records the
   * process.
   */
  isOwn?: boolean;
}

/** Creates the guard on a store that other parts of the program use, too. */
export function guardOver(parts: GuardParts): TaskGuard {
  const { ledger, store, tasks, settings, isOwn = false } = parts;
  const known = new KnownTasks(tasks);
  const detect = (taskId: string): LoopResult =>
    detectTaskLoop(store.state, String(taskId), settings, (id) => known.of(id));
  const runner = isOwn ? thisRunner() : undefined;
  const countTick = (state: TaskState): void => {
    if (!runner) return;
    state.tickCount++;
    state.runner = runner;
  };
  const most = Math.max(
    MAX_ATTEMPTS,
    2 * settings.maxAttemptsBeforeForceNext,
    2 * settings.maxAttempts,
  );
  return {
    get ready() {
      return store.settled;
    },

    recordAttempt(taskId, status, blockers, completedWork, sessionId, details) {
      const { complexity, cost, interrupted, said, work: memory } = details ?? {};
      const at = settings.now();
      const task = String(taskId);
      const attempt = {
        task,
        status: String(status),
        blockers: asSet(blockers),
        work: asSet(completedWork),
        session: String(sessionId),
        at,
        ...(said && said.length > 0 ? { said: asSet(said) } : {}),
      };
      let outcome: Outcome | undefined;
      const learned = known.learn(task);
      const stored = store.change(
        (state, inner) => {
          countTick(state);
          const record = own(state.tasks, task);
          if (record?.tryingWays && !interrupted) {
            learnWays(
              state.blockers,
              record.tryingWays.keys,
              !record.tryingWays.blockers.some((each) => attempt.blockers.includes(each)),
            );
            delete record.tryingWays;
          }
          const cutOff = interrupted ? ({ interrupted: true } as const) : {};
          const made = {
            ...attempt,
            ...cutOff,
            ...(inner.length > 0 ? { inner: [...inner] } : {}),
          };
          outcome = addAttempt(state, made, { complexity, most });
          if (memory) recordOf(state, task).work = memory;
          if (attempt.status === 'done') delete recordOf(state, task).work;
        },
        {
          tasks: [task],
          said: attempt.said,
          event: {
            type: 'task-attempted',
            session: settings.run,
            at,
            task,
            status: attempt.status,
            blockers: attempt.blockers,
            work: attempt.work,
            attemptSession: attempt.session,
            ...present({ complexity, cost }),
          },
          entries: (state) =>
            outcomeEntries(outcome, state, { run: settings.run, task, last: state.next - 1, at }),
        },
      );
      return Promise.all([stored, learned]).then(() => {});
    },

    detectLoop: detect,

    async applyRecovery(result) {
      const { isLooping, taskId } = result;
      if (isLooping && isOwn) void store.change(countTick, { tasks: [taskId] });
      return applyTaskRecovery({ store, tasks, settings }, result);
    },

    getStatus: () => attemptsIn(store.state),

    isSetAside: (taskId) => own(store.state.tasks, String(taskId))?.setAside !== undefined,

    promptFor: (taskId) => notesFor(ledger, settings.run, detect(taskId)),

    clear(taskId) {
      const tasks = taskId === undefined ? Object.keys(store.state.tasks) : [taskId];
      return store.change(
        (state) => {
          for (const id of tasks) delete state.tasks[id];
          state.latest = state.latest.filter(({ task }) => !tasks.includes(task));
        },
        { tasks },
      );
    },
  };
}

const MAX_ENTRIES = 5;
const MAX_TRIED = 3;

/** Paragraphs for the next prompt of a task, left by recoveries and earlier attempts. */
async function notesFor(
  ledger: Ledger,
  run: string,
  { taskId, evidence, note }: LoopResult,
): Promise<string[]> {
  const query = { session: run, last: 4 * MAX_ENTRIES };
  const [own, all] = await Promise.all([
    ledger.context({ ...query, topics: [TOPICS.unblock_authority], task: taskId }),
    ledger.context({ ...query, topics: [TOPICS.force_next, TOPICS.escalate] }),
  ]).catch(() => [[], []]);
  // Authority applies to one task only. Notes about skipped tasks concern every task except the
  // skipped one, which is being tried again.
  const others = all.filter(({ relatedTasks }) => !relatedTasks.includes(taskId));
  const told = [...own, ...others]
    .sort((one, other) => one.timestamp - other.timestamp)
    .slice(-MAX_ENTRIES);
  const tried = evidence.slice(-MAX_TRIED);
  return [
    ...told.map(({ content }) => content),
    ...(tried.length > 0
      ? [`Results of earlier attempts:\n${tried.map((line) => `- ${line}`).join('\n')}`]
      : []),
    ...(note === undefined ? [] : [note]),
  ];
}
