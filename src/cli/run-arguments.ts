import { CHOICES, type Choice } from '../run/escalation-report.ts';
import type { RunSettings } from '../run/run-settings.ts';
import type { WaitOptions } from '../run/wait-out.ts';
import { readArguments, wholeNumber } from './arguments.ts';
import { usageError } from './exit.ts';

const OPTIONS = {
  'max-iterations': { type: 'string' },
  'max-runtime': { type: 'string' },
  'max-cost': { type: 'string' },
  'max-errors': { type: 'string' },
  'loop-threshold': { type: 'string' },
  'iteration-timeout': { type: 'string' },
  'max-wait': { type: 'string' },
  'calls-per-hour': { type: 'string' },
  until: { type: 'string' },
  session: { type: 'boolean' },
  promise: { type: 'string' },
  check: { type: 'string', multiple: true },
  'on-loop': { type: 'string' },
  parallel: { type: 'string' },
  watch: { type: 'boolean' },
  resume: { type: 'boolean' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

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

/** A run that is taken up: as it was started, but for what is said anew. */
export const resumed = (before: RunArguments, now: RunArguments): RunArguments => ({
  values: { ...before.values, ...now.values },
  operands: before.operands,
  command: now.command.length > 0 ? now.command : before.command,
});

/** What the options say, with their defaults. */
export function runSettings({ values }: RunArguments, shadow: boolean): RunSettings {
  const whole = (name: 'max-iterations' | 'max-errors' | 'loop-threshold', least: number, otherwise: number): number =>
    values[name] === undefined ? otherwise : wholeNumber(name, values[name], least);
  const { promise, check = [], 'max-cost': cost, 'max-runtime': runtime = '15m', 'iteration-timeout': timeout = '15m', until } = values;
  if (promise?.trim() === '') throw usageError('--promise takes the text the agent prints when it is done; got nothing.');
  if (cost !== undefined && !(Number(cost) > 0)) throw usageError(`--max-cost takes US dollars such as 2.50; got ${cost}.`);
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

/** What is done about a loop without asking, where that was said. */
export function onLoop({ values }: RunArguments): Choice | undefined {
  const given = values['on-loop'];
  if (given === undefined || CHOICES.includes(given as Choice)) return given as Choice | undefined;
  throw usageError(`--on-loop takes ${CHOICES.join(', ')}; got ${given}.`);
}

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
  const time = hour === undefined ? new Date(given) : new Date(new Date(now).setHours(Number(hour), Number(minute), 0, 0));
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
