import { objectOf, textOf } from '@unrut/engine/json';
import { cut, printable } from '@unrut/engine/text/printable';

/** How `unrut run` starts an agent and reads its JSON output. */
export interface HostCommand {
  /**
   * Adds the options for unattended work and for cost reports, unless they are set. The prompt
   * comes from stdin.
   */
  complete(args: readonly string[]): string[];
  /** The arguments that resume a conversation, if supported. */
  resume?(args: readonly string[], conversation: string): string[];
  /** Reads a record of its JSON; undefined if it is another program's. */
  report(record: { [key: string]: unknown }): CommandReport | undefined;
}

/** The content of one JSON line of an agent. */
export interface CommandReport {
  /** The agent's text; the last one of a run is its answer. */
  says?: string;
  /** `says` continues the previous text. */
  isMore?: boolean;
  /** A short description of its action. */
  does?: string;
  /** The conversation's id, for resuming it. */
  conversation?: string;
  /** Spending since the last report. */
  cost?: { tokens?: number; usd?: number };
  /** The session's total cost; replaces earlier reports. */
  usdSoFar?: number;
  /** Why the agent gave up. */
  failed?: string;
}

/** Arguments that describe a call best, in order. */
const TELLING = [
  'command',
  'cmd',
  'file_path',
  'filePath',
  'path',
  'pattern',
  'query',
  'url',
  'description',
  'prompt',
];
const MAX_LENGTH = 100;

/** A short description of a call: the tool, and the command, file or query. */
export function doing(tool: string, input: unknown): string {
  const args = objectOf(input);
  const what = TELLING.map((name) => textOf(args[name])).find((text) => text !== '') ?? '';
  return cut(printable(`${tool} ${what}`.trim().replace(/\s+/g, ' ')), MAX_LENGTH);
}

/** Whether one of these options or words is among the arguments. */
export const hasAny = (args: readonly string[], ...names: string[]): boolean =>
  args.some((arg) =>
    names.some((name) => arg === name || (name.startsWith('--') && arg.startsWith(`${name}=`))),
  );
