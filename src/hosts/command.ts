/** How `unrut run` starts an agent, and reads the JSON that it prints. */
export interface HostCommand {
  /** The arguments with what it needs to work by itself and to say what it costs, unless they say otherwise. It reads the prompt from stdin. */
  complete(args: readonly string[]): string[];
  /** What a record of its JSON tells; nothing when it is not its own. */
  report(record: { [key: string]: unknown }): CommandReport | undefined;
}

/** What one line of an agent's own JSON tells. */
export interface CommandReport {
  /** What the agent says; the last such text of a run is its answer. */
  says?: string;
  /** `says` goes on where the last one stopped. */
  isMore?: boolean;
  /** What it does, in a few words. */
  does?: string;
  /** Spent since the last line that told. */
  cost?: { tokens?: number; usd?: number };
  /** What the session has cost so far, in place of what was told before. */
  usdSoFar?: number;
  /** Why the agent gave up. */
  failed?: string;
}

/** Whether an option, or a word, is among the arguments. */
export const hasAny = (args: readonly string[], ...names: string[]): boolean =>
  args.some((arg) => names.some((name) => arg === name || (name.startsWith('--') && arg.startsWith(`${name}=`))));
