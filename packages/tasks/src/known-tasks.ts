import type { TaskStatus } from './attempt.ts';

/** What an orchestrator knows of a task. */
export interface KnownTask {
  status: string;
  /** What it is about: a task that deploys, deletes or pays gets no authority over its blockers. */
  title?: string;
  prompt?: string;
  /** It may be granted such authority all the same. */
  unblock?: boolean;
}

/** The orchestrator's own tasks, so that recoveries can change where one stands. */
export interface TaskHost {
  get(id: string): KnownTask | undefined | Promise<KnownTask | undefined>;
  setStatus(id: string, status: TaskStatus, reason: string): void | Promise<void>;
}

/** An orchestrator that does not know the task is no reason to fail. */
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

/** What the orchestrator last said of its tasks, for those who cannot wait for an answer. */
export class KnownTasks {
  #tasks: TaskHost | undefined;
  #last = new Map<string, KnownTask>();

  constructor(tasks: TaskHost | undefined) {
    this.#tasks = tasks;
  }

  /** Asks again. What comes later counts from then on; the promise resolves when it has come. */
  async learn(id: string): Promise<void> {
    const known = await knownTask(this.#tasks, id);
    if (known) this.#last.set(id, known);
  }

  /** What is known now. An orchestrator that answers at once is asked. */
  of(id: string): KnownTask | undefined {
    try {
      const answer = this.#tasks?.get(id);
      if (!(answer instanceof Promise)) return answer;
      void answer.catch(() => {});
    } catch {}
    return this.#last.get(id);
  }
}
