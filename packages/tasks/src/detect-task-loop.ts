import { maskTimes } from '@unrut/engine/fingerprint';
import type { Plan } from '@unrut/engine/policy/plan';
import { redact } from '@unrut/engine/redact/redact';
import {
  alike,
  isRisky,
  LAPS,
  needsPerson,
  OTHER_WAYS,
  startPolicy,
  type TaskLoopType,
  type TaskStep,
  taskCycle,
  taskPattern,
  withoutPause,
} from '@unrut/engine/task-parts';
import { type Attempt, asStep } from './attempt.ts';
import type { KnownTask } from './known-tasks.ts';
import type { TaskSettings } from './task-options.ts';
import { planFor, type TaskTrouble } from './task-policy.ts';
import { countedIn, own, recordOf, type TaskRecord, type TaskState } from './task-state.ts';

/** What to do with a task. */
export type Recommendation = 'continue' | 'force_next' | 'unblock_authority' | 'escalate';

/** Whether a task is looping, how, and what to do. */
export interface LoopResult {
  isLooping: boolean;
  loopType: TaskLoopType | 'none';
  taskId: string;
  /**
   * Number of attempts within the window. For a slow loop, or after a recovery: all attempts since
   * the last pause of twelve hours.
   */
  attemptCount: number;
  /** The blockers, if there are any. */
  blockers?: string[];
  recommendation: Recommendation;
  reason: string;
  /** A note for the next prompt, if the task continues. */
  note?: string;
  /** A line for each recent attempt: time, status, blockers or work, session. */
  evidence: string[];
}

/** Below this share of the budget, no further attempts are made. */
const LITTLE = 0.1;

/**
 * Examines the attempts of a task since its last recovery, and the order of all tasks.
 * `maxAttempts` equal attempts within the window are a loop. `maxAttemptsBeforeForceNext` equal
 * attempts are a loop however long they took, because attempts of an hour would never fit into the
 * window.
 */
export function detectTaskLoop(
  state: TaskState,
  taskId: string,
  settings: TaskSettings,
  knownTask: (id: string) => KnownTask | undefined = () => undefined,
): LoopResult {
  const now = settings.now();
  const since = now - settings.attemptWindow;
  const isYoung = ({ at }: Attempt): boolean => at >= since;
  const record = own(state.tasks, taskId);
  const kept = record?.attempts.filter(isYoung) ?? [];
  const none: LoopResult = {
    isLooping: false,
    loopType: 'none',
    taskId,
    recommendation: 'continue',
    reason: 'The attempts differ, or are too few to tell.',
    attemptCount: kept.length,
    evidence: kept.map(evidenceLine),
  };
  if (!record) return none;
  const { setAside } = record;
  if (setAside) {
    const reason = `${setAside.reason} Nothing has changed since it was set aside.`;
    return {
      ...none,
      isLooping: true,
      loopType: setAside.loopType,
      recommendation: 'escalate',
      reason,
      ...blockersOf(record.attempts.at(-1)),
    };
  }
  const { maxAttempts, maxAttemptsBeforeForceNext } = thresholdsFor(record, settings);
  const steps = record.attempts.filter(({ interrupted }) => !interrupted).map(asStep);
  const patternIn = (counted: readonly Attempt[], most: number) => {
    const loopType = counted.length < most ? null : taskPattern(steps, most);
    const count = Math.min(alike(steps), counted.length);
    if (!loopType || (loopType !== 'completed_task_revisit' && count < most)) return null;
    return { loopType, counted, times: Math.max(most, count) };
  };
  const all = countedIn(record);
  const waiting = waitsForPerson(all, steps);
  if (waiting)
    return {
      ...none,
      isLooping: true,
      loopType: 'blocked_task_spin',
      recommendation: 'escalate',
      blockers: waiting.blockers,
      attemptCount: Math.max(1, kept.length),
      reason: redact(
        `Task ${taskId} waits for a person: ${waiting.blockers.join('; ')}. Another attempt cannot provide that.`,
      ),
    };
  const slow = patternIn(withoutPause(all, now), maxAttemptsBeforeForceNext);
  const pattern = slow ?? patternIn(all.filter(isYoung), maxAttempts);
  // A cycle of tasks is more specific than "no progress" of each task.
  const round =
    pattern && pattern.loopType !== 'no_progress_repeat' ? null : cycleWith(state, now, taskId);
  if (round) return { ...round, ...recommended(state, round, settings, knownTask) };
  if (!pattern) return none;
  const { loopType, counted, times } = pattern;
  // Attempts before a recovery belong to the same loop.
  const seen = slow || record.since > 0 ? withoutPause(record.attempts, now) : kept;
  const found: LoopResult = {
    ...none,
    isLooping: true,
    loopType,
    attemptCount: seen.length,
    evidence: seen.map(evidenceLine),
    ...blockersOf(counted.at(-1)),
  };
  found.reason = redact(
    reasonFor(loopType, taskId, inAttempts(steps, seen, times), found.blockers ?? []) +
      insideOf(counted.slice(-maxAttempts)),
  );
  const isShort =
    loopType === 'no_progress_repeat' && times + record.noted < maxAttemptsBeforeForceNext;
  if (isShort && settings.budgetLeft() >= LITTLE)
    return { ...found, note: `Note: ${found.reason} This time: ${OTHER_WAYS.join('; or ')}.` };
  return { ...found, ...recommended(state, found, settings, knownTask) };
}

/** The last attempt, if it made no progress and only a person can remove its blockers. */
function waitsForPerson(
  attempts: readonly Attempt[],
  steps: readonly TaskStep[],
): Attempt | undefined {
  const last = attempts.at(-1);
  if (last?.status !== 'blocked' || last.blockers.length === 0) return undefined;
  const isNew = last.work.length > 0 && alike(steps) < 2;
  return !isNew && last.blockers.every(needsPerson) ? last : undefined;
}

/** Not a loop: only a person can remove the blockers of this task. */
export const isWaiting = ({ loopType, blockers = [] }: LoopResult): boolean =>
  loopType === 'blocked_task_spin' && blockers.length > 0 && blockers.every(needsPerson);

const blockersOf = (attempt: Attempt | undefined): { blockers?: string[] } =>
  attempt?.blockers.length ? { blockers: attempt.blockers } : {};

/** What the policy would do now. Changes nothing. */
function recommended(
  state: TaskState,
  result: LoopResult,
  settings: TaskSettings,
  knownTask: (id: string) => KnownTask | undefined,
): Pick<LoopResult, 'recommendation'> {
  const plan = planFor(
    structuredClone(recordOf(state, result.taskId).policy) ?? startPolicy(),
    troubleOf(state, result, settings),
    refused(settings, result.taskId, knownTask(result.taskId)),
  );
  return { recommendation: recommendationOf(plan) };
}

/**
 * Recovery rungs that are not allowed: authority that is disabled, dangerous for this task, or not
 * covered by the budget.
 */
export function refused(
  { enableAutoUnblock, budgetLeft }: TaskSettings,
  taskId: string,
  known: KnownTask | undefined,
): string[] {
  const isSafe = known?.unblock || !isRisky([taskId, known?.title, known?.prompt]);
  const mayUnblock = enableAutoUnblock === 'always' || (enableAutoUnblock && isSafe);
  return mayUnblock && budgetLeft() >= LITTLE ? [] : ['unblock-authority'];
}

const RECOMMENDED: Readonly<Record<string, Recommendation>> = {
  'force-next': 'force_next',
  'unblock-authority': 'unblock_authority',
};

export const recommendationOf = (plan: Plan | null): Recommendation =>
  RECOMMENDED[plan?.recovery ?? ''] ?? 'escalate';

/** Describes a task loop for the policy. */
export function troubleOf(
  state: TaskState,
  result: LoopResult,
  settings: TaskSettings,
  facts: TaskTrouble['facts'] = {},
): TaskTrouble {
  const { taskId, loopType, attemptCount, blockers = [], reason } = result;
  const isBlocked = loopType === 'blocked_task_spin';
  return {
    loopType: loopType as TaskLoopType,
    count: attemptCount,
    key: isBlocked ? `blocked ${blockers.map(maskTimes).join('\n')}` : 'task',
    tick: recordOf(state, taskId).tick + 1,
    at: settings.now(),
    facts: {
      task: taskId,
      attempts: attemptCount,
      blockers,
      reason,
      ...(isWaiting(result) ? { waiting: true } : {}),
      ...facts,
    },
  };
}

/**
 * The cycle of tasks that contains this one, if the last attempts form one. The evidence names the
 * task in it that is stuck.
 */
function cycleWith(state: TaskState, now: number, taskId: string): LoopResult | null {
  const order = withoutPause(state.latest, now).filter(
    ({ number, interrupted, task }) => !interrupted && number > recordOf(state, task).since,
  );
  const cycle = taskCycle(order.map(asStep));
  if (!cycle?.includes(taskId)) return null;
  const round = order.slice(-cycle.length * LAPS);
  const stuck = round.findLast(({ status }) => status === 'blocked')?.task ?? taskId;
  return {
    isLooping: true,
    loopType: 'task_cycle',
    taskId: stuck,
    recommendation: 'force_next',
    attemptCount: round.filter(({ task }) => task === stuck).length,
    ...blockersOf(round.findLast(({ task }) => task === stuck)),
    reason: redact(
      `The tasks ${cycle.join(', ')} were attempted in turn ${LAPS} times over, without new work.`,
    ),
    evidence: round.map((attempt) => `${attempt.task}: ${evidenceLine(attempt)}`),
  };
}

/**
 * "6 attempts": all equal attempts, including those before an unsuccessful recovery, so that the
 * number agrees with the total in the same text. "the last 3 attempts" if others differed.
 */
function inAttempts(steps: readonly TaskStep[], seen: readonly Attempt[], times: number): string {
  const count = Math.max(times, Math.min(alike(steps), seen.length));
  return count < seen.length ? `the last ${count} attempts` : `${count} attempts`;
}

function reasonFor(
  type: TaskLoopType,
  taskId: string,
  attempts: string,
  blockers: readonly string[],
): string {
  if (type === 'completed_task_revisit')
    return `Task ${taskId} is done, and was attempted again all the same: ${attempts}.`;
  if (type === 'blocked_task_spin')
    return `Task ${taskId} met the same blockers in ${attempts}: ${blockers.join('; ')}.`;
  return `Task ${taskId} made no progress in ${attempts}: nothing that was not there before.`;
}

/** If every attempt contained a loop of its own, the text of the last one. */
function insideOf(attempts: readonly Attempt[]): string {
  if (!attempts.every(({ inner }) => inner && inner.length > 0)) return '';
  return ` Each attempt was looping inside as well, the last one like this: ${attempts.at(-1)!.inner!.at(-1)}.`;
}

function evidenceLine({
  at,
  status,
  blockers,
  work,
  said = [],
  session,
  interrupted,
  inner,
}: Attempt): string {
  const done = [...work, ...said].join('; ');
  const what =
    blockers.length > 0 ? `blocked by ${blockers.join('; ')}` : done || 'no work reported';
  const inside = inner ? ` (inside: ${inner.join('; ')})` : '';
  return redact(
    `${new Date(at).toISOString()} ${status}${interrupted ? ', cut off' : ''}: ${what}${inside} [${session}]`,
  );
}

const WORDS: Readonly<Record<string, number>> = { low: 2, medium: 3, high: 5 };
const MEDIUM = 3;
const FEWEST = 2;
/**
 * So many attempts with progress show that a task is larger than expected; it gets one more
 * attempt.
 */
const FRUITFUL = 4;
const MAX_LEARNED = 2;

type Thresholds = Pick<TaskSettings, 'maxAttempts' | 'maxAttemptsBeforeForceNext'>;

/**
 * The thresholds of one task: more attempts for a hard task, fewer for an easy one, at least two. A
 * declared complexity overrides a learned one.
 */
function thresholdsFor(
  record: Pick<TaskRecord, 'complexity' | 'fruitful'>,
  settings: TaskSettings & Thresholds,
): Thresholds {
  const { maxAttempts, maxAttemptsBeforeForceNext, adaptive } = settings;
  const more = adaptive
    ? (declared(record.complexity) ?? Math.min(MAX_LEARNED, Math.floor(record.fruitful / FRUITFUL)))
    : 0;
  const widened = Math.max(FEWEST, maxAttempts + more);
  return {
    maxAttempts: widened,
    maxAttemptsBeforeForceNext: Math.max(widened, maxAttemptsBeforeForceNext + more),
  };
}

function declared(complexity: number | string | undefined): number | undefined {
  const grade = typeof complexity === 'string' ? WORDS[complexity] : complexity;
  return grade === undefined || !Number.isFinite(grade)
    ? undefined
    : Math.round(Math.min(5, Math.max(1, grade))) - MEDIUM;
}
