import { alike, CYCLE_STEPS, LAPS, type TaskLoopType, taskCycle, taskPattern } from '../detectors/task-pattern.ts';
import { redact } from '../redact/redact.ts';
import type { Attempt } from './attempt.ts';
import type { TaskSettings } from './task-options.ts';
import { recordOf, type TaskRecord, type TaskState } from './task-state.ts';

/** What to do about a task. */
export type Recommendation = 'continue' | 'force_next' | 'unblock_authority' | 'escalate';

/** Whether a task goes round, how, and what to do about it. */
export interface LoopResult {
  isLooping: boolean;
  loopType: TaskLoopType | 'none';
  taskId: string;
  /** All attempts at it within the window. */
  attemptCount: number;
  /** What blocks it, where something does. */
  blockers?: string[];
  recommendation: Recommendation;
  reason: string;
  /** A line for each recent attempt: time, status, blockers or work, session. */
  evidence: string[];
}

/** With less than this share of the budget left, no further attempts are bought. */
const LITTLE = 0.1;

/** Looks at the attempts of a task within the window, those since its last recovery alone, then at the order of all tasks. */
export function detectTaskLoop(state: TaskState, taskId: string, settings: TaskSettings): LoopResult {
  const since = settings.now() - settings.attemptWindow;
  const record = Object.hasOwn(state.tasks, taskId) ? state.tasks[taskId]! : undefined;
  const kept = record?.attempts.filter(({ at }) => at >= since) ?? [];
  const none: LoopResult = {
    ...{ isLooping: false, loopType: 'none', taskId, recommendation: 'continue', reason: 'The attempts differ, or are too few to tell.' },
    attemptCount: kept.length,
    evidence: kept.map(evidenceLine),
  };
  if (!record) return none;
  const { maxAttempts, maxAttemptsBeforeForceNext } = thresholdsFor(record, settings);
  const counted = kept.filter((attempt) => isCounted(attempt, record));
  const loopType = taskPattern(counted, maxAttempts);
  if (loopType) {
    const count = Math.max(maxAttempts, alike(counted));
    const blockers = counted.at(-1)!.blockers;
    const isLong = count + record.noted >= maxAttemptsBeforeForceNext;
    return {
      ...none,
      isLooping: true,
      loopType,
      ...(blockers.length > 0 ? { blockers } : {}),
      recommendation: recommend(loopType, record, { blockers, isLong, isPoor: settings.budgetLeft() < LITTLE }, settings),
      reason: redact(reasonFor(loopType, taskId, count, blockers) + insideOf(counted.slice(-maxAttempts))),
    };
  }
  return cycleWith(state, since, taskId) ?? none;
}

const isCounted = ({ number, interrupted }: Attempt, { since }: TaskRecord): boolean => number > since && !interrupted;

interface Circumstances {
  blockers: readonly string[];
  /** As many attempts as the next task is forced after. */
  isLong: boolean;
  /** Little budget is left. */
  isPoor: boolean;
}

/** A recovery that was used on this task and has not helped is not used again: a person is asked. */
function recommend(
  type: TaskLoopType,
  record: TaskRecord,
  { blockers, isLong, isPoor }: Circumstances,
  settings: TaskSettings,
): Recommendation {
  if (type === 'blocked_task_spin') {
    const mayGrant = settings.enableAutoUnblock && !isPoor && !record.granted.includes(asOneText(blockers));
    return mayGrant ? 'unblock_authority' : 'escalate';
  }
  if (record.forced) return 'escalate';
  return type === 'no_progress_repeat' && !isLong && !isPoor ? 'continue' : 'force_next';
}

/** A list of blockers as one text, to tell whether it was met before. */
export const asOneText = (blockers: readonly string[]): string => JSON.stringify(blockers);

/** The round of tasks that this one is part of, if the last attempts went round; told of the task in it that is stuck. */
function cycleWith(state: TaskState, since: number, taskId: string): LoopResult | null {
  const order = Object.entries(state.tasks)
    .flatMap(([id, record]) => record.attempts.filter((attempt) => attempt.at >= since && isCounted(attempt, state.tasks[id]!)))
    .sort((a, b) => a.number - b.number)
    .slice(-CYCLE_STEPS);
  const cycle = taskCycle(order);
  if (!cycle?.includes(taskId)) return null;
  const round = order.slice(-cycle.length * LAPS);
  const stuck = round.findLast(({ status }) => status === 'blocked')?.task ?? taskId;
  const own = round.findLast(({ task }) => task === stuck)!;
  return {
    isLooping: true,
    loopType: 'task_cycle',
    taskId: stuck,
    attemptCount: round.filter(({ task }) => task === stuck).length,
    ...(own.blockers.length > 0 ? { blockers: own.blockers } : {}),
    recommendation: recordOf(state, stuck).forced ? 'escalate' : 'force_next',
    reason: redact(`The tasks ${cycle.join(', ')} were attempted in turn ${LAPS} times over, without new work.`),
    evidence: round.map((attempt) => `${attempt.task}: ${evidenceLine(attempt)}`),
  };
}

function reasonFor(type: TaskLoopType, taskId: string, count: number, blockers: readonly string[]): string {
  if (type === 'completed_task_revisit') return `Task ${taskId} is done, and was attempted ${count} times all the same.`;
  if (type === 'blocked_task_spin') return `Task ${taskId} met the same blockers in ${count} attempts: ${blockers.join('; ')}.`;
  return `Task ${taskId} made no progress in ${count} attempts: same status, same work.`;
}

/** When each of the attempts went round inside as well, what was seen there last. */
function insideOf(attempts: readonly Attempt[]): string {
  if (!attempts.every(({ inner }) => inner && inner.length > 0)) return '';
  return ` Each attempt was looping inside as well, the last one like this: ${attempts.at(-1)!.inner!.at(-1)}.`;
}

function evidenceLine({ at, status, blockers, work, session, interrupted, inner }: Attempt): string {
  const what = blockers.length > 0 ? `blocked by ${blockers.join('; ')}` : work.length > 0 ? work.join('; ') : 'no work reported';
  const inside = inner ? ` (inside: ${inner.join('; ')})` : '';
  return redact(`${new Date(at).toISOString()} ${status}${interrupted ? ', cut off' : ''}: ${what}${inside} [${session}]`);
}

const WORDS: Readonly<Record<string, number>> = { low: 2, medium: 3, high: 5 };
const MEDIUM = 3;
const FEWEST = 2;
/** So many fruitful attempts show that a task is larger than it looked: one more attempt is given. */
const FRUITFUL = 4;
const MAX_LEARNED = 2;

type Thresholds = Pick<TaskSettings, 'maxAttempts' | 'maxAttemptsBeforeForceNext'>;

/** The thresholds of one task: a hard one is given more attempts, an easy one fewer, never under two. Declared beats learned. */
function thresholdsFor(record: Pick<TaskRecord, 'complexity' | 'fruitful'>, settings: TaskSettings & Thresholds): Thresholds {
  const { maxAttempts, maxAttemptsBeforeForceNext, adaptive } = settings;
  const more = adaptive ? (declared(record.complexity) ?? Math.min(MAX_LEARNED, Math.floor(record.fruitful / FRUITFUL))) : 0;
  const widened = Math.max(FEWEST, maxAttempts + more);
  return { maxAttempts: widened, maxAttemptsBeforeForceNext: Math.max(widened, maxAttemptsBeforeForceNext + more) };
}

function declared(complexity: number | string | undefined): number | undefined {
  const grade = typeof complexity === 'string' ? WORDS[complexity] : complexity;
  return grade === undefined || !Number.isFinite(grade) ? undefined : Math.round(Math.min(5, Math.max(1, grade))) - MEDIUM;
}
