import { type JsonObject, textOf } from '@unrut/engine/json';
import { keepIn } from '@unrut/engine/recent';
import type { ImportedRun, Source } from '@unrut/reading/importer';

/** What is known of one run in a transcript so far. */
export interface ClaudeCodeThread {
  run: ImportedRun;
  isNested: boolean;
  /** The response of the last line, and how many of its tokens have been counted. */
  response: unknown;
  paid: number;
  /** All tokens that were told so far. */
  told: number;
  /** A boundary was read: the summary after it tells of the same compaction. */
  isCompacted: boolean;
  /** Commands and agents that run in the background. */
  background: Set<string>;
}

/** Lines that are remembered to find the subagent of a later line. */
const MAX_LINKS = 1000;

/**
 * Finds the run that a line belongs to. Older versions write a subagent's lines without its name
 * among the others: there, a line is of its parent's run.
 */
export function claudeCodeThreads(source: Source): (record: JsonObject) => ClaudeCodeThread {
  const threads = new Map<ImportedRun, ClaudeCodeThread>();
  const links = new Map<string, string>();

  function agentOf({ isSidechain, agentId, uuid, parentUuid }: JsonObject): string | undefined {
    if (isSidechain !== true) return undefined;
    if (typeof agentId === 'string') return agentId;
    const own = textOf(uuid);
    return keepIn(links, own, links.get(textOf(parentUuid)) ?? own, MAX_LINKS);
  }

  return (record) => {
    const agent = agentOf(record);
    const run = source.run(textOf(record.sessionId) || undefined, agent);
    const thread = threads.get(run) ?? {
      run,
      isNested: agent !== undefined,
      response: undefined,
      paid: 0,
      told: 0,
      isCompacted: false,
      background: new Set<string>(),
    };
    threads.set(run, thread);
    return thread;
  };
}
