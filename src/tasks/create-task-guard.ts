import type { Ledger } from '../ledger/ledger.ts';
import { applyTaskRecovery } from './apply-task-recovery.ts';
import { asSet } from './attempt.ts';
import { learnWays } from './blockers/index.ts';
import { detectTaskLoop } from './detect-task-loop.ts';
import { attemptsIn } from './run-status.ts';
import type { TaskGuard, TaskHost } from './task-guard.ts';
import { type TaskGuardOptions, type TaskSettings, taskSettings } from './task-options.ts';
import { addAttempt, MAX_ATTEMPTS } from './task-state.ts';
import { TaskStore } from './task-store.ts';

/** A guard over the tasks of an orchestrator. Without `tasks` it records and advises, and changes no status. */
export function createTaskGuard({ ledger, tasks }: { ledger: Ledger; tasks?: TaskHost }, options: TaskGuardOptions = {}): TaskGuard {
  const settings = taskSettings(options);
  return guardOver(new TaskStore(ledger, settings.run, settings.onFault), tasks, settings);
}

/** The guard over a store that others use as well. */
export function guardOver(store: TaskStore, tasks: TaskHost | undefined, settings: TaskSettings): TaskGuard {
  const most = Math.max(MAX_ATTEMPTS, 2 * settings.maxAttemptsBeforeForceNext, 2 * settings.maxAttempts);
  return {
    get ready() {
      return store.settled;
    },

    recordAttempt(taskId, status, blockers, completedWork, sessionId, { complexity, cost, interrupted } = {}) {
      const at = settings.now();
      const attempt = {
        task: String(taskId),
        status: String(status),
        blockers: asSet(blockers),
        work: asSet(completedWork),
        session: String(sessionId),
        at,
      };
      return store.change(
        (state, inner) => {
          const record = Object.hasOwn(state.tasks, attempt.task) ? state.tasks[attempt.task]! : undefined;
          if (record?.tryingWays && !interrupted) {
            learnWays(state.blockers, record.tryingWays.keys, !record.tryingWays.blockers.some((each) => attempt.blockers.includes(each)));
            delete record.tryingWays;
          }
          const cutOff = interrupted ? ({ interrupted: true } as const) : {};
          addAttempt(state, { ...attempt, ...cutOff, ...(inner.length > 0 ? { inner: [...inner] } : {}) }, complexity, most);
        },
        {
          event: {
            ...{ type: 'task-attempted', session: settings.run, at, task: attempt.task, status: attempt.status },
            ...{ blockers: attempt.blockers, work: attempt.work, attemptSession: attempt.session },
            ...(complexity === undefined ? {} : { complexity }),
            ...(cost === undefined ? {} : { cost }),
          },
        },
      );
    },

    detectLoop: (taskId) => detectTaskLoop(store.state, String(taskId), settings),

    applyRecovery: (result) => applyTaskRecovery({ store, tasks, settings }, result),

    getStatus: () => attemptsIn(store.state),

    clear: (taskId) =>
      store.change((state) => {
        if (taskId === undefined) state.tasks = {};
        else delete state.tasks[taskId];
      }),
  };
}
