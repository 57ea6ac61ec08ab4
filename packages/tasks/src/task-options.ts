import { UnrutError } from '@unrut/engine/errors';
import type { BudgetOptions } from '@unrut/engine/policy/spending';

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

/** Applies the defaults. Throws if an option is invalid. */
export function taskSettings({
  preset = 'balanced',
  ...options
}: TaskGuardOptions = {}): TaskSettings {
  if (!Object.hasOwn(TASK_PRESETS, preset))
    throw new UnrutError(
      'bad-option',
      `[tasks] preset takes ${Object.keys(TASK_PRESETS).join(', ')}; got ${String(preset)}.`,
    );
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
  const given = Object.fromEntries(
    Object.entries(options).filter(([, value]) => value !== undefined),
  ) as Partial<TaskSettings>;
  const settings = { ...defaults, ...given };
  for (const name of ['maxAttempts', 'maxAttemptsBeforeForceNext'] as const)
    if (!Number.isInteger(settings[name]) || settings[name] < 2)
      throw new UnrutError(
        'bad-option',
        `[tasks] ${name} takes a whole number, 2 or more; got ${String(settings[name])}.`,
      );
  const { budgetLeft: share } = options;
  if (
    typeof share === 'number'
      ? !(share >= 0 && share <= 1)
      : share !== undefined && typeof share !== 'function'
  )
    throw new UnrutError(
      'bad-option',
      `[tasks] budgetLeft takes a share from 0 to 1, or a function that gives one; got ${String(share)}.`,
    );
  if (!(settings.attemptWindow > 0))
    throw new UnrutError(
      'bad-option',
      `[tasks] attemptWindow takes a positive number of milliseconds; got ${String(settings.attemptWindow)}.`,
    );
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

/** Callbacks of the user may throw; the guard must not. */
function quietly<T>(what: () => T, otherwise: T): T {
  try {
    return what();
  } catch {
    return otherwise;
  }
}
