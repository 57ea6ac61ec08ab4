/**
 * One attempt at a task, reduced to what patterns need. Blockers and work are sorted and without
 * duplicates.
 */
export interface TaskStep {
  task: string;
  status: string;
  blockers: readonly (string | number)[];
  work: readonly (string | number)[];
}

/** The ways in which attempts at tasks can loop. Orchestrators depend on these names. */
export type TaskLoopType =
  | 'completed_task_revisit'
  | 'blocked_task_spin'
  | 'no_progress_repeat'
  | 'task_cycle';

const MAX_CYCLE = 5;
/** Laps after which a round counts as a cycle. */
export const LAPS = 3;

/** Milliseconds. An attempt of six hours fits; a job that runs once a day starts afresh. */
const LONGEST_PAUSE = 12 * 3_600_000;

/**
 * The last attempts, each recorded at most twelve hours after the one before, and the last at most
 * twelve hours ago: the attempts of a slow loop, which no window of an hour holds.
 */
export function withoutPause<T extends { at: number }>(attempts: readonly T[], now: number): T[] {
  const afterPause = attempts.findLastIndex(
    ({ at }, i) => (attempts[i + 1]?.at ?? now) - at > LONGEST_PAUSE,
  );
  return attempts.slice(afterPause + 1);
}

/**
 * What the last `most` attempts at one task have in common; null if there are too few, or if they
 * bring a status, blockers or work that no earlier attempt had.
 */
export function taskPattern(
  steps: readonly TaskStep[],
  most: number,
): Exclude<TaskLoopType, 'task_cycle'> | null {
  const last = steps.at(-1);
  if (!last || steps.length < most) return null;
  if (steps.slice(-most).every(({ status }) => status === 'done')) return 'completed_task_revisit';
  if (alike(steps) < most) return null;
  return last.blockers.length > 0 ? 'blocked_task_spin' : 'no_progress_repeat';
}

/**
 * How many attempts in a row, counted back from the last, brought nothing that was not there
 * before.
 */
export function alike(steps: readonly TaskStep[]): number {
  const last = steps.at(-1);
  const known = new Set<string | number>();
  let first = 0;
  for (const [i, { status, blockers, work }] of steps.entries()) {
    const items = [`status ${status}`, ...work];
    if (!isSame(blockers, last!.blockers)) first = i + 1;
    else if (items.some((item) => !known.has(item))) first = i;
    for (const item of items) known.add(item);
  }
  // The first of these attempts may have brought work. It counts only if the next one had exactly
  // the same work.
  const [begun, next] = steps.slice(first);
  return (
    steps.length -
    first -
    (begun && next && begun.work.length > 0 && !isSame(begun.work, next.work) ? 1 : 0)
  );
}

/**
 * The 2 to 5 tasks that the last attempts went through in turn, three times without new work, in
 * the order of the last lap.
 */
export function taskCycle(steps: readonly TaskStep[]): string[] | null {
  for (let period = 2; period <= MAX_CYCLE; period++) {
    const recent = steps.slice(-period * LAPS);
    if (recent.length < period * LAPS) return null;
    const lap = recent.slice(-period);
    if (new Set(lap.map(({ task }) => task)).size < 2) continue;
    if (!recent.every(({ task }, i) => task === lap[i % period]!.task)) continue;
    const ofPlace = lap.map((_, place) => recent.filter((_, i) => i % period === place));
    if (ofPlace.every((same) => !grows(same) && isSteady(same))) return lap.map(({ task }) => task);
  }
  return null;
}

const isSame = (one: TaskStep['work'], other: TaskStep['work']): boolean =>
  one.length === other.length && one.every((item, i) => item === other[i]);

const isSteady = (steps: readonly TaskStep[]): boolean =>
  steps.every(
    ({ status, blockers }) => status === steps[0]!.status && isSame(blockers, steps[0]!.blockers),
  );

/** A later attempt has work that the first one did not have. */
function grows(steps: readonly TaskStep[]): boolean {
  const known = new Set(steps[0]?.work);
  return steps.slice(1).some(({ work }) => work.some((item) => !known.has(item)));
}
