import { type ParseArgsConfig, parseArgs } from 'node:util';
import { recommended } from '../presets.ts';
import { printable } from '../text/printable.ts';
import { TIMES, timeGiven } from '../views/time-given.ts';
import { didYouMean, usageError } from './exit.ts';

/** Options and operands of a command. What is wrong with them is said in one line. */
export function readArguments<const Options extends NonNullable<ParseArgsConfig['options']>>(
  command: string,
  args: readonly string[],
  options: Options,
) {
  try {
    return parseArgs({ args: [...args], allowPositionals: true, options });
  } catch (error) {
    throw usageError(`${whatIsWrong(error as NodeJS.ErrnoException, args, Object.keys(options))} See unrut ${command} --help.`);
  }
}

/** Node's own sentence, without what it advises. */
function whatIsWrong({ code, message }: NodeJS.ErrnoException, args: readonly string[], names: readonly string[]): string {
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
