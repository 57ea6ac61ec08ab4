import { CHOICES, type Choice } from '@unrut/tasks/run/escalation-report';
import type { RunSettings } from '@unrut/tasks/run/run-settings';
import type { WaitOptions } from '@unrut/tasks/run/wait-out';
import { readArguments, textOption, wholeNumber } from './arguments.ts';
import { usageError } from './exit.ts';

/** Options that are not given are absent, so that a resumed run keeps its original options. */
export const RUN_OPTIONS = {
  'max-iterations': textOption(
    'N',
    'max iterations, or attempts per task of a roadmap (default 10)',
  ),
  'max-runtime': textOption(
    'TIME',
    'max total time, such as 90s, 15m or 2h (default 15m; none for a roadmap)',
  ),
  'max-cost': textOption('DOLLARS', 'max cost, if the agent reports its cost (default none)'),
  'max-errors': textOption('N', 'max consecutive failed iterations (default 3)'),
  'iteration-timeout': textOption('TIME', 'stop an iteration that takes longer (default 15m)'),
  stall: textOption('TIME', 'stop an iteration that prints nothing new for so long (default none)'),
  until: textOption('TIME', 'start no iteration after this time, such as 07:30'),
  'max-wait': textOption(
    'TIME',
    'max time to wait for a usage limit of the provider to end (default 6h)',
  ),
  'calls-per-hour': textOption(
    'N',
    'start the agent at most N times in an hour (default no limit)',
  ),
  session: {
    type: 'boolean',
    what: '',
    help: 'continue one conversation instead of starting anew, if the agent can',
  },
  'loop-threshold': textOption(
    'N',
    'iterations without progress that count as a loop (default 3, or the settings of the detectors)',
  ),
  promise: textOption('TEXT', 'text the agent prints last when it is done (default TASK_COMPLETE)'),
  check: {
    type: 'string',
    multiple: true,
    what: 'COMMAND',
    help: 'the task is done when this command succeeds (repeatable)',
  },
  'on-loop': textOption(
    'WHAT',
    'continue, escalate or stop (default: ask at a terminal; otherwise continue once, then stop)',
  ),
  parallel: textOption('N', 'run N tasks of a roadmap concurrently, each in a git worktree'),
  watch: {
    type: 'boolean',
    what: '',
    help: 'when nothing is left to do, wait for the roadmap to change',
  },
  json: {
    type: 'boolean',
    what: '',
    help: "print the result as JSON; the agent's output goes to standard error",
  },
  resume: {
    type: 'boolean',
    what: '[run]',
    help: 'resume after Ctrl-C, a crash, a limit or a loop (default: the latest run of this folder)',
  },
} as const;

const OPTIONS = { ...RUN_OPTIONS, help: { type: 'boolean', short: 'h' } } as const;

/** The command line of `unrut run`, before and after `--`. */
export interface RunArguments {
  values: ReturnType<typeof readArguments<typeof OPTIONS>>['values'];
  operands: string[];
  /** The agent's command. */
  command: string[];
}

export function readRunArguments(args: readonly string[]): RunArguments {
  const dashes = args.indexOf('--');
  const own = dashes === -1 ? args : args.slice(0, dashes);
  const { values, positionals } = readArguments('run', own, OPTIONS);
  return { values, operands: positionals, command: dashes === -1 ? [] : args.slice(dashes + 1) };
}

/** The arguments of a resumed run: the original ones, overridden by those given now. */
export const resumed = (before: RunArguments, now: RunArguments): RunArguments => ({
  values: { ...before.values, ...now.values },
  operands: before.operands,
  command: now.command.length > 0 ? now.command : before.command,
});

/** The settings of a run, with defaults. */
export function runSettings({ values }: RunArguments, shadow: boolean): RunSettings {
  const whole = (
    name: 'max-iterations' | 'max-errors' | 'loop-threshold',
    least: number,
    otherwise: number,
  ): number => (values[name] === undefined ? otherwise : wholeNumber(name, values[name], least));
  const {
    promise,
    check = [],
    'max-cost': cost,
    'max-runtime': runtime = '15m',
    'iteration-timeout': timeout = '15m',
    until,
  } = values;
  if (promise?.trim() === '')
    throw usageError('--promise takes the text the agent prints when it is done; got nothing.');
  if (cost !== undefined && !(Number(cost) > 0))
    throw usageError(`--max-cost takes US dollars such as 2.50; got ${cost}.`);
  return {
    maxIterations: whole('max-iterations', 1, 10),
    maxRuntime: duration('max-runtime', runtime),
    ...(cost === undefined ? {} : { maxCost: Number(cost) }),
    maxErrors: whole('max-errors', 1, 3),
    loopThreshold: whole('loop-threshold', 2, 3),
    iterationTimeout: duration('iteration-timeout', timeout),
    ...(until === undefined ? {} : { until: timeOf(until, Date.now()) }),
    keepsConversation: values.session === true,
    promise: promise?.trim() ?? 'TASK_COMPLETE',
    needsPromise: promise !== undefined || check.length === 0,
    checks: check,
    shadow,
  };
}

/** How loops are handled without asking, if the user chose that. */
export function onLoop({ values }: RunArguments): Choice | undefined {
  const given = values['on-loop'];
  if (given === undefined || CHOICES.includes(given as Choice)) return given as Choice | undefined;
  throw usageError(`--on-loop takes ${CHOICES.join(', ')}; got ${given}.`);
}

/** Milliseconds without new output after which an iteration is ended, if that was said. */
export const stallOf = ({ values: { stall } }: RunArguments): number | undefined =>
  stall === undefined ? undefined : duration('stall', stall);

/** How long limits of the provider are waited out, and how often the agent is started. */
export const patienceOf = ({
  values: { 'max-wait': wait = '6h', 'calls-per-hour': calls },
}: RunArguments): Pick<WaitOptions, 'maxWait' | 'callsPerHour'> => ({
  maxWait: duration('max-wait', wait),
  callsPerHour: calls === undefined ? undefined : wholeNumber('calls-per-hour', calls, 1),
});

/** `07:30`, the next time that it is, or a date and time. */
function timeOf(given: string, now: number): number {
  const [, hour, minute] = /^(\d{1,2}):(\d{2})$/.exec(given) ?? [];
  const time =
    hour === undefined
      ? new Date(given)
      : new Date(new Date(now).setHours(Number(hour), Number(minute), 0, 0));
  if (Number.isNaN(time.getTime()) || Number(hour ?? 0) > 23 || Number(minute ?? 0) > 59)
    throw usageError(`--until takes a time such as 07:30 or 2026-11-18T07:30; got ${given}.`);
  return hour !== undefined && time.getTime() <= now ? time.getTime() + UNITS.d! : time.getTime();
}

const UNITS: Record<string, number> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Milliseconds of `90s`, `15m`, `2h` or `1d`. */
function duration(name: string, given: string): number {
  const [, number, unit] = /^(\d+)([smhd])$/.exec(given) ?? [];
  if (number !== undefined && Number(number) > 0) return Number(number) * UNITS[unit!]!;
  throw usageError(`--${name} takes 90s, 15m, 2h or 1d; got ${given}.`);
}
