import type { Json } from '@unrut/engine/event';
import type { Outcome } from '@unrut/engine/outcome/outcome';
import type { Plan } from '@unrut/engine/policy/plan';
import { redact } from '@unrut/engine/redact/redact';
import { startPolicy, type TaskLoopType } from '@unrut/engine/task-parts';
import type { ContextEntry, LedgerEntry } from '@unrut/ledger/ledger';
import type { TaskStatus } from './attempt.ts';
import { waysAround } from './blockers.ts';
import {
  isWaiting,
  type LoopResult,
  type Recommendation,
  recommendationOf,
  refused,
  troubleOf,
} from './detect-task-loop.ts';
import { knownTask, type TaskHost } from './known-tasks.ts';
import type { TaskSettings } from './task-options.ts';
import { planFor } from './task-policy.ts';
import { outcomeOf, recordOf, type TaskState } from './task-state.ts';
import type { TaskStore } from './task-store.ts';

interface Means {
  store: TaskStore;
  tasks: TaskHost | undefined;
  settings: TaskSettings;
}

/** Topics of the context entries that the next prompt includes. */
export const TOPICS = {
  force_next: 'loop_recovery_directive',
  unblock_authority: 'unblock_authority',
  escalate: 'loop_escalation',
} satisfies Readonly<Record<Exclude<Recommendation, 'continue'>, string>>;

/** Carries out a recommendation. If that fails, escalates to a person. Never throws. */
export async function applyTaskRecovery(means: Means, result: LoopResult): Promise<LoopResult> {
  const { store, settings } = means;
  if (!result.isLooping) return result;
  const { loopType, taskId, attemptCount, recommendation } = result;
  // A person was asked already, and nothing has changed since.
  if (recordOf(store.state, taskId).setAside?.how === 'escalated') return result;
  settings.log(
    `${isWaiting(result) ? 'Waiting for a person:' : `Loop detected: ${loopType},`} taskId=${taskId}, attemptCount=${attemptCount}, recommendation=${recommendation}`,
  );
  if (recommendation === 'continue') {
    // Also counted if the orchestrator skips the task instead of running it.
    await store.change((state) => void recordOf(state, taskId).noted++, { tasks: [taskId] });
    return result;
  }
  let done = result;
  try {
    done = await perform(means, result);
  } catch (error) {
    settings.onFault(error);
    done = await perform(
      { ...means, tasks: lenient(means) },
      { ...result, recommendation: 'escalate' },
    );
  }
  settings.log(`Loop recovery applied: ${done.recommendation}`);
  return done;
}

/** Escalation is recorded even if the orchestrator cannot store the status. */
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

async function perform({ store, tasks, settings }: Means, result: LoopResult): Promise<LoopResult> {
  const { taskId, reason, blockers = [] } = result;
  await store.settled;
  const record = structuredClone(recordOf(store.state, taskId));
  const known = await knownTask(tasks, taskId);
  const status = known?.status ?? record.attempts.at(-1)?.status ?? '';
  const ways = waysAround(blockers, store.state.blockers);
  const facts = { status, ways: ways.map(({ blocker, text }) => `${text} (${blocker})`) };
  const policy = record.policy ?? startPolicy();
  const withheld =
    result.recommendation === 'escalate'
      ? ['unblock-authority', 'force-next']
      : refused(settings, taskId, known);
  const plan = planFor(policy, troubleOf(store.state, result, settings, facts), withheld);
  // The ladder has no rung left, so a person is needed.
  const recommendation = plan ? recommendationOf(plan) : 'escalate';
  if (recommendation === 'continue') return result;
  const applied: Applied = {
    ...result,
    recommendation,
    plan,
    content: redact(plan?.toModel ?? reason),
    at: settings.now(),
  };
  if (recommendation === 'unblock_authority')
    settings.log(`Granting unblock authority for ${taskId}`);

  const change = statusAfter(recommendation, status, settings.markDoneOnForceNext);
  if (change) await tasks?.setStatus(taskId, change, reason);
  const { run } = settings;
  const last = store.state.next - 1;
  const keys = recommendation === 'unblock_authority' ? ways.map(({ key }) => key) : [];
  const relapsed = plan && record.watched?.streak === plan.streak ? record.watched : undefined;
  await store.change(
    (state) => {
      const own = recordOf(state, taskId);
      Object.assign(own, {
        policy,
        noted: 0,
        since: Math.max(own.since, last),
        tick: own.tick + 1,
      });
      if (recommendation !== 'unblock_authority')
        own.setAside = {
          how: recommendation === 'escalate' ? 'escalated' : 'forced',
          loopType: result.loopType as TaskLoopType,
          reason,
        };
      if (keys.length > 0) own.tryingWays = { keys, blockers: ways.map(({ blocker }) => blocker) };
      if (plan) own.watched = watched(plan, own.tick);
    },
    {
      tasks: [taskId],
      context: entriesFor(applied, keys, run, last),
      entries: (state) =>
        recorded(applied, state, {
          run,
          last,
          outcome: relapsed && outcomeOf(record, relapsed.recovered ? 'relapsed' : 'persisted'),
        }),
    },
  );
  if (recommendation === 'escalate')
    settings.onEscalation({ run, taskId, reason, content: applied.content, at: applied.at });
  return { ...result, recommendation };
}

const watched = ({ id, recovery, rung, reason, streak }: Plan, tick: number) => ({
  plan: id,
  recovery,
  rung,
  reason,
  streak,
  tick,
});

/**
 * The status after a recovery. A finished task stays done; an unfinished one is never marked done
 * unless the options ask for it.
 */
function statusAfter(
  recommendation: Recommendation,
  status: string,
  markDone: boolean,
): TaskStatus | undefined {
  if (status === 'done' || recommendation === 'unblock_authority') return undefined;
  return recommendation === 'escalate' ? 'blocked' : markDone ? 'done' : 'needs_review';
}

interface Applied extends LoopResult {
  plan: Plan | null;
  recommendation: Exclude<Recommendation, 'continue'>;
  content: string;
  at: number;
}

/** The log entries of a recovery, and the context for the next prompt. */
function entriesFor(
  { content, at, ...result }: Applied,
  ways: string[],
  run: string,
  last: number,
): ContextEntry[] {
  const {
    taskId,
    loopType,
    attemptCount,
    blockers = [],
    reason,
    evidence,
    recommendation,
  } = result;
  const entry = (topic: string, entryType: string, text: string): ContextEntry => ({
    id: `${run}/${taskId}/${last}/${topic}`,
    session: run,
    timestamp: at,
    entryType,
    topic,
    content: text,
    relatedTasks: [taskId],
    confidence: 1,
    metadata: { loopType, recommendation, attemptCount, blockers, evidence, ways },
  });
  return [
    entry(
      'loop_recovery',
      'recovery',
      redact(
        `${isWaiting(result) ? 'WAITING FOR A PERSON' : 'LOOP DETECTED'}: ${reason} Recovery applied: ${recommendation}.`,
      ),
    ),
    entry(
      TOPICS[recommendation],
      recommendation === 'escalate' ? 'escalation' : 'directive',
      content,
    ),
  ];
}

/** Returns a function that makes entries of a run's record at the last attempt at a task. */
const entriesOn =
  (
    state: TaskState,
    { run, task, last, at }: { run: string; task: string; last: number; at: number },
  ) =>
  (kind: LedgerEntry['kind'], name: string, data: object): LedgerEntry => ({
    id: `${run}/${task}/${last}/${name}`,
    session: run,
    at,
    kind,
    step: recordOf(state, task).step ?? 0,
    data: JSON.parse(JSON.stringify(data)) as { [name: string]: Json },
  });

/** The entries for the outcome of a plan, if it is known. */
export const outcomeEntries = (
  outcome: Outcome | undefined,
  ...about: Parameters<typeof entriesOn>
): LedgerEntry[] =>
  outcome ? [entriesOn(...about)('outcome', `${outcome.plan}:${outcome.outcome}`, outcome)] : [];

/**
 * The entries of `entriesFor`, for the run's record. `outcome` is the outcome of the previous plan.
 */
function recorded(
  { plan, taskId, reason, recommendation, at }: Applied,
  state: TaskState,
  { run, last, outcome }: { run: string; last: number; outcome: Outcome | undefined },
): LedgerEntry[] {
  const about = { run, task: taskId, last, at };
  const entry = entriesOn(state, about);
  return [
    ...outcomeEntries(outcome, state, about),
    ...(plan
      ? [
          entry('plan', plan.id, {
            ...plan,
            toModel: redact(plan.toModel),
            toHuman: redact(plan.toHuman),
            shadow: false,
          }),
        ]
      : []),
    entry('event', recommendation, {
      type: 'plan-performed',
      recovery: recommendation,
      task: taskId,
      why: redact(reason),
      ...(plan ? { plan: plan.id, rung: plan.rung } : {}),
    }),
  ];
}
