import { standardOutput } from './width.ts';

/** A command that can be typed, and what it does. */
export type CommandLine = readonly [command: string, why: string];

/**
 * Lines with commands and what they do, in two columns; where a line would be too long, what the
 * command does is below it. A command is never broken, so that it can be copied.
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
