import type { TaskStatus } from './attempt.ts';

/** What an orchestrator knows about a task. */
export interface KnownTask {
  status: string;
  /**
   * What the task is about. A task that deploys, deletes or pays gets no authority over its
   * blockers.
   */
  title?: string;
  prompt?: string;
  /** Allows such authority nevertheless. */
  unblock?: boolean;
}

/** Gives recoveries access to the orchestrator's own tasks, to change their status. */
export interface TaskHost {
  get(id: string): KnownTask | undefined | Promise<KnownTask | undefined>;
  setStatus(id: string, status: TaskStatus, reason: string): void | Promise<void>;
}

/** Asks the orchestrator about a task. An unknown task is not an error. */
export async function knownTask(
  tasks: TaskHost | undefined,
  id: string,
): Promise<KnownTask | undefined> {
  try {
    return await tasks?.get(id);
  } catch {
    return undefined;
  }
}

/** Caches what the orchestrator said about its tasks, for synchronous callers. */
export class KnownTasks {
  #tasks: TaskHost | undefined;
  #last = new Map<string, KnownTask>();

  constructor(tasks: TaskHost | undefined) {
    this.#tasks = tasks;
  }

  /** Asks again and updates the cache. Resolves when the answer has arrived. */
  async learn(id: string): Promise<void> {
    const known = await knownTask(this.#tasks, id);
    if (known) this.#last.set(id, known);
  }

  /** The cached answer. An orchestrator that answers synchronously is asked directly. */
  of(id: string): KnownTask | undefined {
    try {
      const answer = this.#tasks?.get(id);
      if (!(answer instanceof Promise)) return answer;
      void answer.catch(() => {});
    } catch {}
    return this.#last.get(id);
  }
}
