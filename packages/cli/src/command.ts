import type { ParseArgsConfig } from 'node:util';
import { commandStart } from '@unrut/agents/install/proxy-arguments';
import { readArguments } from './arguments.ts';
import { EXIT, usageError } from './exit.ts';
import { helpText } from './help-text.ts';

type Options = NonNullable<ParseArgsConfig['options']>;

const HELP_OPTION = { help: { type: 'boolean', short: 'h', default: false } } as const;

/** The parts that all commands share: they parse their arguments and print their help. */
interface CommandParts<Own extends Options> {
  /** As it is called. */
  name: string;
  help: string;
  /** Besides `--help`. */
  options?: Own;
  /** The number of operands and their description. Default: the command checks them itself. */
  operands?: { least: number; most: number; what: string };
  /** Its operands are the command line of another program, whose options are not ours. */
  startsProgram?: true;
}

/** A command line as it was understood. */
interface Given<Own extends Options> {
  values: ReturnType<typeof readArguments<Own>>['values'];
  operands: string[];
}

export const NO_OPERANDS = { least: 0, most: 0, what: 'no arguments' } as const;
export const ONE_FILE = { least: 1, most: 1, what: 'one file' } as const;
export const MAYBE_ONE_SESSION = { least: 0, most: 1, what: 'one session' } as const;

/** Runs a command line and returns its exit code. Its options are those that it declares. */
export interface DefinedCommand<Setting = void> {
  (args: readonly string[], setting: Setting): Promise<number>;
  options: Options;
}

/**
 * A command, which returns its exit code. Mistakes in its arguments are reported in one line before
 * it starts.
 */
export function defineCommand<const Own extends Options = Record<never, never>, Setting = void>(
  { name, help, options, operands: expected, startsProgram }: CommandParts<Own>,
  run: (given: Given<Own>, setting: Setting) => number | Promise<number>,
): DefinedCommand<Setting> {
  const command = async (args: readonly string[], setting: Setting): Promise<number> => {
    const end = startsProgram ? commandStart(args) : args.length;
    const { values, positionals } = readArguments(name, args.slice(0, end), {
      ...options,
      ...HELP_OPTION,
    });
    if (values.help) {
      console.log(helpText(help));
      return EXIT.ok;
    }
    const operands = startsProgram ? args.slice(args[end] === '--' ? end + 1 : end) : positionals;
    if (expected && (operands.length < expected.least || operands.length > expected.most))
      throw usageError(
        `${name} takes ${expected.what}${expected.most === 0 ? `; got ${operands[0]}` : `, got ${operands.length}`}. See unrut ${name} --help.`,
      );
    return run({ values, operands } as unknown as Given<Own>, setting);
  };
  return Object.assign(command, { options: options ?? {} });
}
