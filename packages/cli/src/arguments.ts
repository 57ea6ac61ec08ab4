import { type ParseArgsConfig, parseArgs } from 'node:util';
import { recommended } from '@unrut/engine/presets';
import { printable } from '@unrut/engine/text/printable';
import { TIMES, timeGiven } from '@unrut/ledger/views/time-given';
import { didYouMean, usageError } from './exit.ts';

/** Parses the options and operands of a command. Reports mistakes in one line. */
export function readArguments<const Options extends NonNullable<ParseArgsConfig['options']>>(
  command: string,
  args: readonly string[],
  options: Options,
) {
  try {
    return parseArgs({ args: [...args], allowPositionals: true, options });
  } catch (error) {
    throw usageError(
      `${whatIsWrong(error as NodeJS.ErrnoException, args, Object.keys(options))} See ${['unrut', command, '--help'].filter(Boolean).join(' ')}.`,
    );
  }
}

/** Node's message without its advice. */
function whatIsWrong(
  { code, message }: NodeJS.ErrnoException,
  args: readonly string[],
  names: readonly string[],
): string {
  const [, option = ''] = /'(?:-\w, )?(--?[\w-]+)/.exec(message) ?? [];
  if (code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION')
    return `Unknown option ${option}.${didYouMean(option.replace(/^--?(?:no-)?/, ''), names, '--')}`;
  if (code === 'ERR_PARSE_ARGS_INVALID_OPTION_VALUE' && !/does not take/.test(message)) {
    const next = args.find((_, i) => args[i - 1] === option);
    return `${option} takes a value; got ${next === undefined ? 'none' : `the option ${printable(next)}`}.`;
  }
  return message.split('\n', 1)[0]!.replace(/[.:]?$/, '.');
}

/** A whole number from `least` on. */
export function wholeNumber(name: string, given: string, least: number): number {
  const value = Number(given);
  if (/^\d+$/.test(given) && value >= least) return value;
  throw usageError(`--${name} takes a whole number, ${least} or more; got ${given}.`);
}

/** The share of a trial: `50%` or `0.5`. */
export function trialShare(given: string): number {
  const [, number = '', percent] = /^(\d+(?:\.\d+)?|\.\d+)(%?)$/.exec(given) ?? [];
  const share = number === '' ? Number.NaN : Number(number) / (percent ? 100 : 1);
  if (share >= 0 && share <= 1) return share;
  throw usageError(`--trial takes a share such as 50% or 0.5; got ${given}.`);
}

/** Epoch milliseconds of `7d`, `24h`, `30m`, `2w` ago, or of a date with or without a time. */
export function timeArgument(name: string, given: string, now: number): number {
  const time = timeGiven(given, now);
  if (time !== undefined) return time;
  throw usageError(`--${name} takes ${TIMES}; got ${given}.`);
}

/** The name of a detector that is in use. */
export function detectorOption(name: string): string {
  const names: string[] = recommended.detectors.map((detector) => detector.name);
  if (names.includes(name)) return name;
  throw usageError(`--detector takes ${names.join(', ')}; got ${name}.${didYouMean(name, names)}`);
}

/** A switch: how it is parsed, and what the help says of it. `what` may follow it. */
export const flagOption = (help: string, what = '') =>
  ({ type: 'boolean', default: false, what, help }) as const;

/** An option with a value, which `what` names in the help. */
export function textOption(
  what: string,
  help: string,
): { type: 'string'; what: string; help: string };
export function textOption(
  what: string,
  help: string,
  otherwise: string,
): { type: 'string'; what: string; help: string; default: string };
export function textOption(what: string, help: string, otherwise?: string) {
  return { type: 'string', what, help, ...(otherwise === undefined ? {} : { default: otherwise }) };
}

/** The same, for an option that may be given several times. */
export const textsOption = (what: string, help: string) =>
  ({ type: 'string', multiple: true, default: [] as string[], what, help }) as const;

/** An option as it is declared: how it is parsed, and what the help says of it. */
type DeclaredOptions = Readonly<Record<string, { what: string; help: string }>>;

/** Lists the options of a command for its help. */
export const optionLines = (options: DeclaredOptions, column?: number): string =>
  `Options\n${optionRows(options, column)}\n  --help`;

/** A line for each option: the texts begin in one column, also those of several lines. */
export function optionRows(options: DeclaredOptions, column?: number): string {
  const rows = Object.entries(options).map(([name, { what, help }]) => ({
    usage: `--${name} ${what}`.trimEnd(),
    help: help.split('\n'),
  }));
  const start = column ?? Math.max(...rows.map(({ usage }) => usage.length)) + 3;
  const lines = rows.flatMap(({ usage, help: [first = '', ...others] }) => [
    `  ${usage.padEnd(Math.max(start, usage.length + 2))}${first}`,
    ...others.map((line) => (line.startsWith('  --') ? line : ' '.repeat(start + 2) + line)),
  ]);
  return lines.join('\n');
}
