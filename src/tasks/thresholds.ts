import type { TaskSettings } from './task-options.ts';
import type { TaskRecord } from './task-state.ts';

const WORDS: Readonly<Record<string, number>> = { low: 2, medium: 3, high: 5 };
const MEDIUM = 3;
const FEWEST = 2;
/** So many fruitful attempts show that a task is larger than it looked: one more attempt is given. */
const FRUITFUL = 4;
const MOST_LEARNED = 2;

type Thresholds = Pick<TaskSettings, 'maxAttempts' | 'maxAttemptsBeforeForceNext'>;

/** The thresholds of one task: a hard one is given more attempts, an easy one fewer, never under two. Declared beats learned. */
export function thresholdsFor(record: Pick<TaskRecord, 'complexity' | 'fruitful'>, settings: TaskSettings & Thresholds): Thresholds {
  const { maxAttempts, maxAttemptsBeforeForceNext, adaptive } = settings;
  const more = adaptive ? (declared(record.complexity) ?? Math.min(MOST_LEARNED, Math.floor(record.fruitful / FRUITFUL))) : 0;
  const widened = Math.max(FEWEST, maxAttempts + more);
  return { maxAttempts: widened, maxAttemptsBeforeForceNext: Math.max(widened, maxAttemptsBeforeForceNext + more) };
}

function declared(complexity: number | string | undefined): number | undefined {
  const grade = typeof complexity === 'string' ? WORDS[complexity] : complexity;
  return grade === undefined || !Number.isFinite(grade) ? undefined : Math.round(Math.min(5, Math.max(1, grade))) - MEDIUM;
}
