import type { ContextEntry, LedgerEntry } from '../ledger/ledger.ts';
import { redact } from '../redact/redact.ts';
import { type WayAround, waysAround } from './blockers/index.ts';
import type { LoopResult } from './detect-task-loop.ts';
import { escalate } from './recoveries/escalate.ts';
import { forceNext } from './recoveries/force-next.ts';
import type { TaskRecovery, TaskSituation } from './recoveries/task-recovery.ts';
import { unblockAuthority } from './recoveries/unblock-authority.ts';
import type { TaskHost } from './task-guard.ts';
import type { TaskSettings } from './task-options.ts';
import { recordOf, type TaskRecord } from './task-state.ts';
import type { TaskStore } from './task-store.ts';

interface Means {
  store: TaskStore;
  tasks: TaskHost | undefined;
  settings: TaskSettings;
}

const RECOVERIES: readonly TaskRecovery[] = [forceNext, unblockAuthority, escalate];

/** Does what a result recommends. When that fails, a person is asked instead. Never throws. */
export async function applyTaskRecovery(means: Means, result: LoopResult): Promise<LoopResult> {
  const { store, settings } = means;
  if (!result.isLooping) return result;
  const { loopType, taskId, attemptCount, recommendation } = result;
  settings.log(`Loop detected: ${loopType}, taskId=${taskId}, attemptCount=${attemptCount}, recommendation=${recommendation}`);
  const recovery = RECOVERIES.find(({ name }) => name === recommendation);
  if (!recovery) {
    // Whoever skips the task instead of running it comes to an end all the same.
    await store.change((state) => void recordOf(state, taskId).noted++);
    return result;
  }
  let done = result;
  try {
    await perform(means, recovery, result);
  } catch (error) {
    settings.onFault(error);
    done = { ...result, recommendation: 'escalate' };
    await perform({ ...means, tasks: lenient(means) }, escalate, done);
  }
  settings.log(`Loop recovery applied: ${done.recommendation}`);
  return done;
}

/** The last resort is recorded also where the orchestrator cannot take the status. */
const lenient = ({ tasks, settings }: Means): TaskHost | undefined =>
  tasks && {
    get: (id) => tasks.get(id),
    async setStatus(id, status, reason) {
      try {
        await tasks.setStatus(id, status, reason);
      } catch (error) {
        settings.onFault(error);
      }
    },
  };

async function perform({ store, tasks, settings }: Means, recovery: TaskRecovery, result: LoopResult): Promise<void> {
  const { taskId } = result;
  await store.settled;
  const record = structuredClone(recordOf(store.state, taskId));
  const ways = recovery === unblockAuthority ? waysAround(result.blockers ?? [], store.state.blockers) : [];
  const status = (await knownStatus(tasks, taskId)) ?? record.attempts.at(-1)?.status;
  const situation: TaskSituation = { result, record, ways, isDone: status === 'done', markDone: settings.markDoneOnForceNext };
  if (recovery === unblockAuthority) settings.log(`Granting unblock authority for ${taskId}`);

  const change = recovery.status(situation);
  if (change) await tasks?.setStatus(taskId, change.status, change.reason);
  const content = redact(recovery.content(situation));
  const at = settings.now();
  const last = store.state.next - 1;
  const applied: AppliedRecovery = { recovery, result, content, ways, at, run: settings.run, last };
  await store.change(
    (state) => {
      const own = recordOf(state, taskId);
      recovery.remember(own, result);
      own.noted = 0;
      own.since = Math.max(own.since, last);
      if (ways.length > 0) own.tryingWays = { keys: ways.map(({ key }) => key), blockers: ways.map(({ blocker }) => blocker) };
    },
    { context: entriesFor(applied), entries: (state) => [performed(applied, recordOf(state, taskId))] },
  );
  if (recovery === escalate) settings.onEscalation({ run: settings.run, taskId, reason: result.reason, content, at });
}

/** An orchestrator that does not know the task is no reason to fail. */
async function knownStatus(tasks: TaskHost | undefined, id: string): Promise<string | undefined> {
  try {
    return (await tasks?.get(id))?.status;
  } catch {
    return undefined;
  }
}

interface AppliedRecovery {
  recovery: TaskRecovery;
  result: LoopResult;
  content: string;
  ways: readonly WayAround[];
  at: number;
  run: string;
  last: number;
}

/** What was done, for whoever asks; and what the next prompt includes. */
function entriesFor({ recovery, result, content, ways, at, run, last }: AppliedRecovery): ContextEntry[] {
  const { taskId, loopType, attemptCount, blockers = [], reason, evidence } = result;
  const entry = (topic: string, entryType: string, text: string): ContextEntry => ({
    id: `${run}/${taskId}/${last}/${topic}`,
    session: run,
    timestamp: at,
    entryType,
    topic,
    content: text,
    relatedTasks: [taskId],
    confidence: 1,
    metadata: { loopType, recommendation: recovery.name, attemptCount, blockers, evidence, ways: ways.map(({ key }) => key) },
  });
  return [
    entry('loop_recovery', 'recovery', redact(`LOOP DETECTED: ${reason} Recovery applied: ${recovery.name}.`)),
    entry(recovery.topic, recovery === escalate ? 'escalation' : 'directive', content),
  ];
}

/** The same for the record of the run, beside the last attempt at the task. */
const performed = ({ recovery, result: { taskId, reason }, at, run, last }: AppliedRecovery, { step = 0 }: TaskRecord): LedgerEntry => ({
  ...{ id: `${run}/${taskId}/${last}/${recovery.name}`, session: run, at, kind: 'event', step },
  data: { type: 'plan-performed', recovery: recovery.name, task: taskId, why: redact(reason) },
});
