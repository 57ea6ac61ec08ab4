// An orchestrator of your own in about a hundred lines: it gives a (toy) agent one task after another, and ends by itself, whatever the agent does.
// Run it with: npm install unrut, npm pkg set type=module, then node orchestrator.ts (Node 24).
import { createMemoryLedger } from 'unrut';
import { createTaskGuard, type TaskGuard, type TaskStatus } from 'unrut/tasks';

interface Task {
  id: string;
  prompt: string;
  status: string;
}

/** What an agent reports of one attempt. */
interface Report {
  status: TaskStatus;
  blockers?: string[];
  work?: string[];
}

type Agent = (task: Task, prompt: string, attempt: number) => Report | Promise<Report>;

/** A board of tasks. It retries what is blocked, and hands out finished tasks again if nobody stops it: as careless boards do. */
class Board {
  readonly tasks: Task[];
  readonly #isCareless: boolean;
  #turn = 0;

  constructor(ids: readonly string[], isCareless: boolean) {
    this.tasks = ids.map((id) => ({ id, prompt: `Do ${id}.`, status: 'pending' }));
    this.#isCareless = isCareless;
  }

  get = (id: string): Task | undefined => this.tasks.find((task) => task.id === id);

  setStatus = (id: string, status: TaskStatus): void => {
    const task = this.get(id);
    if (task) task.status = status;
  };

  /** The next task that is open and was not set aside; in turns. */
  next(isSetAside: (id: string) => boolean): Task | undefined {
    const open = this.tasks.filter(({ id, status }) => !isSetAside(id) && status !== 'needs_review' && (this.#isCareless || status !== 'done'));
    return open[this.#turn++ % Math.max(1, open.length)];
  }
}

/** How a run went. */
export interface Ran {
  ticks: number;
  /** Attempts and recoveries, in order. */
  story: string[];
  escalations: string[];
  statuses: Record<string, string>;
  loopDetection: ReturnType<TaskGuard['getStatus']>;
}

/** A hundred ticks are far more than any of these cases takes: whoever gets there has not ended. */
const FAR_TOO_MANY = 100;

export async function orchestrate(ids: readonly string[], agent: Agent, { isCareless = false } = {}): Promise<Ran> {
  const board = new Board(ids, isCareless);
  const escalations: string[] = [];
  const guard = createTaskGuard(
    { ledger: createMemoryLedger(), tasks: board },
    { run: 'nightly', onEscalation: ({ content }) => void escalations.push(content) },
  );
  await guard.ready; // attempts of earlier processes are known
  const story: string[] = [];
  let ticks = 0;

  async function tick(): Promise<boolean> {
    const task = board.next((id) => guard.isSetAside(id));
    if (!task) return false;
    const loop = guard.detectLoop(task.id); // before it runs
    if (loop.isLooping && loop.recommendation !== 'continue') {
      const applied = await guard.applyRecovery(loop);
      story.push(`${applied.taskId}: ${applied.loopType} → ${applied.recommendation}`);
      return true;
    }
    const prompt = [task.prompt, ...(await guard.promptFor(task.id))].join('\n\n');
    const attempt = (guard.getStatus()[task.id]?.attemptCount ?? 0) + 1;
    const { status, blockers = [], work = [] } = await agent(task, prompt, attempt);
    board.setStatus(task.id, status);
    await guard.recordAttempt(task.id, status, blockers, work, `session_${ticks}`); // after it ran
    story.push(`${task.id}: ${status}`);
    return true;
  }

  while (ticks < FAR_TOO_MANY && (await tick())) ticks++;
  const statuses = Object.fromEntries(board.tasks.map(({ id, status }) => [id, status]));
  return { ticks, story, escalations, statuses, loopDetection: guard.getStatus() };
}

/** The cases that the guard is for, each with an agent that would go on for ever. */
export const CASES: Record<string, () => Promise<Ran>> = {
  'a task that is done is handed out again': () => orchestrate(['T3.4.2'], () => ({ status: 'done', work: ['Implemented dashboard.tsx'] }), { isCareless: true }),
  'the same blockers': () => orchestrate(['T3.4.3'], () => ({ status: 'blocked', blockers: ['critic:design_system unavailable'] })),
  'no progress': () => orchestrate(['T7.1.2', 'next'], ({ id }) => ({ status: id === 'next' ? 'done' : 'in_progress', work: ['Read file A', 'Parse config'] })),
  'tasks in turn': () => orchestrate(['a', 'b', 'c'], () => ({ status: 'in_progress' })),
  'authority that helps': () =>
    orchestrate(['T9'], (_task, prompt) =>
      prompt.includes('UNBLOCK AUTHORITY') ? { status: 'done', work: ['Wrote a stub'] } : { status: 'blocked', blockers: ['no key'] },
    ),
};

if (import.meta.main)
  for (const [name, run] of Object.entries(CASES)) {
    const { ticks, story, statuses } = await run();
    console.log(`${name}: ${ticks < FAR_TOO_MANY ? `ended after ${ticks} ticks` : 'DID NOT END'}\n  ${story.join('\n  ')}\n  ${JSON.stringify(statuses)}`);
  }
