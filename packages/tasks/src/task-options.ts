import { UnrutError } from '@unrut/engine/errors';
import type { BudgetOptions } from '@unrut/engine/policy/spending';

/** When a task counts as looping, and what may be done then. */
export interface TaskGuardOptions {
  /** The run that the attempts belong to; the ledger's session. Default: `tasks`. */
  run?: string;
  /** Start from one of these. Default: `balanced`. */
  preset?: keyof typeof TASK_PRESETS;
  /** Attempts alike before they count as a loop. Default: 3. */
  maxAttempts?: number;
  /** Milliseconds; older attempts do not count. Default: an hour. */
  attemptWindow?: number;
  /**
   * Authority over its blockers may be granted without asking, unless the task deploys, deletes or
   * pays; `always` includes these. Default: true.
   */
  enableAutoUnblock?: boolean | 'always';
  /** Attempts without progress before the next task is forced. Default: 5. */
  maxAttemptsBeforeForceNext?: number;
  /** A task's complexity, declared or learned, widens the two thresholds. Default: true. */
  adaptive?: boolean;
  /** Marks an unfinished task done when the next is forced. Default: false, as it is not true. */
  markDoneOnForceNext?: boolean;
  /**
   * The share of the budget that is left, 0..1, or what tells it. With little left no further
   * attempts are bought. Default: 1.
   */
  budgetLeft?: number | (() => number);
  /**
   * What the run may spend, with the sessions of its agents. No attempt begins when it is spent.
   * Default: none.
   */
  budget?: BudgetOptions;
  /** The clock. Default: `Date.now`. */
  now?: () => number;
  /** Is told each line of the log. */
  log?: (line: string) => void;
  /** Is told when a person is needed. */
  onEscalation?: (escalation: TaskEscalation) => void;
  /** Is told what went wrong inside, as the guard itself never throws. */
  onFault?: (error: unknown) => void;
}

/** What a person is told. */
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

/** Slow and safe, recommended, and fast. */
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

/** The options with their defaults. Throws when one of them makes no sense. */
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

/** What the user brings along may fail; the guard may not. */
function quietly<T>(what: () => T, otherwise: T): T {
  try {
    return what();
  } catch {
    return otherwise;
  }
}
