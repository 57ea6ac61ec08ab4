import { type JsonObject, textOf } from '@unrut/engine/json';
import { keepIn } from '@unrut/engine/recent';
import type { ImportedRun, Source } from '@unrut/reading/importer';

/** The state of one run in a transcript. */
export interface ClaudeCodeThread {
  run: ImportedRun;
  isNested: boolean;
  /** The response of the last line, and how many of its tokens were counted. */
  response: unknown;
  paid: number;
  /** All tokens reported so far. */
  told: number;
  /** A boundary was read; the summary after it describes the same compaction. */
  isCompacted: boolean;
  /** Commands and agents that run in the background. */
  background: Set<string>;
}

/** Max number of remembered lines for finding the subagent of a later line. */
const MAX_LINKS = 1000;

/**
 * Finds the run of a line. In older versions, subagents' lines lack the subagent's name and count
 * as their parent's.
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
