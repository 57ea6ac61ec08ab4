import { standardOutput } from './width.ts';

/** A command and its description. */
export type CommandLine = readonly [command: string, why: string];

/**
 * Commands and their descriptions in two columns; if a line would be too long, the description is
 * below the command. Commands are never broken, so that they can be copied.
 */
export function commandLines(commands: readonly CommandLine[]): string[] {
  const { width, paint } = standardOutput();
  const column = Math.max(...commands.map(([command]) => command.length)) + 3;
  return commands.flatMap(([command, why]) =>
    2 + column + why.length <= width
      ? [`  ${command.padEnd(column)}${paint.dim(why)}`]
      : [`  ${command}`, `     ${paint.dim(why)}`],
  );
}
