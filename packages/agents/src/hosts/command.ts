import { objectOf, textOf } from '@unrut/engine/json';
import { cut, printable } from '@unrut/engine/text/printable';

/** How `unrut run` starts an agent, and reads the JSON that it prints. */
export interface HostCommand {
  /**
   * The arguments with what it needs to work by itself and to say what it costs, unless they say
   * otherwise. It reads the prompt from stdin.
   */
  complete(args: readonly string[]): string[];
  /** The arguments with which it continues in a conversation, where it can. */
  resume?(args: readonly string[], conversation: string): string[];
  /** What a record of its JSON tells; nothing when it is not its own. */
  report(record: { [key: string]: unknown }): CommandReport | undefined;
}

/** What one line of an agent's own JSON tells. */
export interface CommandReport {
  /** What the agent says; the last such text of a run is its answer. */
  says?: string;
  /** `says` continues where the last one stopped. */
  isMore?: boolean;
  /** What it does, in a few words. */
  does?: string;
  /** Names the conversation, so that it can be resumed. */
  conversation?: string;
  /** Spent since the last line that told. */
  cost?: { tokens?: number; usd?: number };
  /** What the session has cost so far, in place of what was told before. */
  usdSoFar?: number;
  /** Why the agent gave up. */
  failed?: string;
}

/** Of a call's arguments, the one that says what it is about. */
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

/** A call in a few words: the tool, and the command, file or query. */
export function doing(tool: string, input: unknown): string {
  const args = objectOf(input);
  const what = TELLING.map((name) => textOf(args[name])).find((text) => text !== '') ?? '';
  return cut(printable(`${tool} ${what}`.trim().replace(/\s+/g, ' ')), MAX_LENGTH);
}

/** Whether an option, or a word, is among the arguments. */
export const hasAny = (args: readonly string[], ...names: string[]): boolean =>
  args.some((arg) =>
    names.some((name) => arg === name || (name.startsWith('--') && arg.startsWith(`${name}=`))),
  );
