import { budgetCheck } from '@unrut/engine/guard-options';
import type { BudgetOptions } from '@unrut/engine/policy/spending';
import { assertOptions, type OptionCheck, optionChecks } from '@unrut/engine/schema/checks';

const { aFunction, flag, is, keysOf, number, oneOf, text } = optionChecks;

/** When a task counts as looping, and which recoveries are allowed. */
export interface TaskGuardOptions {
  /** The run that the attempts belong to, which is the ledger's session. Default: `tasks`. */
  run?: string;
  /** Preset to start from. Default: `balanced`. */
  preset?: keyof typeof TASK_PRESETS;
  /** Number of equal attempts that make a loop. Default: 3. */
  maxAttempts?: number;
  /** Attempts older than this many milliseconds do not count. Default: one hour. */
  attemptWindow?: number;
  /**
   * Grants a task authority over its blockers without asking, unless the task deploys, deletes or
   * pays; `always` includes those. Default: true.
   */
  enableAutoUnblock?: boolean | 'always';
  /** Attempts without progress before the next task is forced. Default: 5. */
  maxAttemptsBeforeForceNext?: number;
  /** Whether a task's complexity, declared or learned, raises the two thresholds. Default: true. */
  adaptive?: boolean;
  /**
   * Marks an unfinished task as done when the next one is forced. Default: false, because it would
   * not be true.
   */
  markDoneOnForceNext?: boolean;
  /**
   * The remaining share of the budget, from 0 to 1, or a function that returns it. If little is
   * left, no further attempts are made. Default: 1.
   */
  budgetLeft?: number | (() => number);
  /**
   * The budget of the run and the sessions of its agents. No attempt begins after it is spent.
   * Default: none.
   */
  budget?: BudgetOptions;
  /** The clock. Default: `Date.now`. */
  now?: () => number;
  /** Receives each line of the log. */
  log?: (line: string) => void;
  /** Called when a person is needed. */
  onEscalation?: (escalation: TaskEscalation) => void;
  /** Receives internal errors; the guard itself never throws. */
  onFault?: (error: unknown) => void;
}

/** An escalation to a person. */
export interface TaskEscalation {
  run: string;
  taskId: string;
  reason: string;
  content: string;
  /** Epoch milliseconds. */
  at: number;
}

type Thresholds = Required<
  Pick<TaskGuardOptions, 'maxAttempts' | 'maxAttemptsBeforeForceNext' | 'enableAutoUnblock'>
>;

/** Presets: slow and safe, recommended, fast. */
export const TASK_PRESETS: Readonly<
  Record<'conservative' | 'balanced' | 'aggressive', Thresholds>
> = {
  conservative: { maxAttempts: 5, maxAttemptsBeforeForceNext: 8, enableAutoUnblock: false },
  balanced: { maxAttempts: 3, maxAttemptsBeforeForceNext: 5, enableAutoUnblock: true },
  aggressive: { maxAttempts: 2, maxAttemptsBeforeForceNext: 3, enableAutoUnblock: true },
};

export type TaskSettings = Required<Omit<TaskGuardOptions, 'preset' | 'budgetLeft' | 'budget'>> & {
  budgetLeft: () => number;
  budget?: BudgetOptions;
};

const HOUR = 3_600_000;
const nothing = (): void => {};

const attempts = number({ integer: true, from: 2 });
const isShare = (value: unknown): boolean =>
  typeof value === 'function' || (typeof value === 'number' && value >= 0 && value <= 1);

const taskGuardOptions = keysOf({
  run: text,
  preset: oneOf(Object.keys(TASK_PRESETS)),
  maxAttempts: attempts,
  attemptWindow: is(
    (value) => typeof value === 'number' && value > 0,
    'a positive number of milliseconds',
  ),
  enableAutoUnblock: is(
    (value) => typeof value === 'boolean' || value === 'always',
    "true, false or 'always'",
  ),
  maxAttemptsBeforeForceNext: attempts,
  adaptive: flag,
  markDoneOnForceNext: flag,
  budgetLeft: is(isShare, 'a share from 0 to 1, or a function that returns one'),
  budget: budgetCheck,
  now: aFunction,
  log: aFunction,
  onEscalation: aFunction,
  onFault: aFunction,
} satisfies Record<keyof TaskGuardOptions, OptionCheck>);

/** Applies the defaults. Throws if an option is invalid. */
export function taskSettings(given: TaskGuardOptions = {}): TaskSettings {
  assertOptions('[tasks]', given, taskGuardOptions);
  const { preset = 'balanced', ...options } = given;
  const defaults: TaskSettings = {
    ...TASK_PRESETS[preset],
    run: 'tasks',
    attemptWindow: HOUR,
    adaptive: true,
    markDoneOnForceNext: false,
    budgetLeft: () => 1,
    now: Date.now,
    log: nothing,
    onEscalation: nothing,
    onFault: nothing,
  };
  const settings: TaskSettings = { ...defaults, ...defined(options) };
  const { log, onEscalation, onFault, budgetLeft } = settings;
  return {
    ...settings,
    log: (line) => quietly(() => log(line), undefined),
    onEscalation: (escalation) => quietly(() => onEscalation(escalation), undefined),
    onFault: (error) => quietly(() => onFault(error), undefined),
    budgetLeft: () =>
      quietly(() => Number(typeof budgetLeft === 'function' ? budgetLeft() : budgetLeft), 1),
  };
}

/** An option that is undefined keeps its default. */
const defined = (options: object): Partial<TaskSettings> =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));

/** Callbacks of the user may throw; the guard must not. */
function quietly<T>(what: () => T, otherwise: T): T {
  try {
    return what();
  } catch {
    return otherwise;
  }
}
