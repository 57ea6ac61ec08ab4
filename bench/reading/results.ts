import { hash64 } from '@unrut/engine/hash';
import { textOf } from '@unrut/engine/json';
import { readCorpus, readEvents } from '../quality/corpus.ts';

/** One recorded result of a tool call, and the flag that its source carries. */
export interface Recorded {
  /** Hash of the run and the step. */
  id: string;
  source: string;
  tool: string;
  args: unknown;
  result: unknown;
  /** The recorded flag; undefined if the source has none. */
  flag: boolean | undefined;
  /** Hash of the session, in which calls are in order. */
  run: string;
}

/** The results of all runs of a corpus, in order. */
export function resultsIn(corpus: string): Recorded[] {
  return readCorpus(corpus).flatMap((run) =>
    readEvents(run).flatMap(({ event, step }): Recorded[] => {
      if (event.type !== 'call-finished' || event.result === undefined) return [];
      const { call, result, error } = event;
      return [
        {
          id: hash64(`${run.id} ${step}`, 0),
          source: run.source,
          tool: call.tool,
          args: call.args,
          result,
          flag: flagOf(call.tool, result, error),
          run: hash64(run.id, 0),
        },
      ];
    }),
  );
}

const CODEX = /^(?:exec_command|write_stdin|apply_patch|update_plan|shell|shell_command|_\w+)$/;
const CODEX_EXIT =
  /(?:^|\n)(?:Process exited with code|Exit code:) (-?\d+)\n[\s\S]{0,400}?Output:\n/;

/**
 * The recorded flag, if it is the host's own. A rollout of Codex has no flag. Its header states the
 * exit code of a command that has ended; about every other result Codex says nothing, and the
 * recorded flag was derived from the text.
 */
function flagOf(tool: string, result: unknown, error: unknown): boolean | undefined {
  if (!CODEX.test(tool)) return typeof error === 'boolean' ? error : undefined;
  const code = CODEX_EXIT.exec(textOf(result).slice(0, 4000))?.[1];
  return code === undefined ? undefined : code !== '0';
}

const FLAGGED = /^(?:entire-|claude-)/;

/**
 * Whether the flag of a source is the host's own. Claude Code writes `is_error` into its
 * transcripts, and Codex the exit code. The flags of all other sources were derived from the text.
 */
export const hasOwnFlag = (source: string): boolean => FLAGGED.test(source);

/** The first and last line of a text, with names, numbers and quoted values masked. */
export function shapeOf(tool: string, text: string): string {
  const lines = text.trim().split('\n', 2000);
  const ends = lines.length > 1 ? [lines[0]!, lines.at(-1)!] : lines;
  return `${tool}|${ends.map(masked).join('|')}`;
}

const masked = (line: string): string =>
  line
    .slice(0, 200)
    .replace(/"[^"]*"|'[^']*'|`[^`]*`/g, 'q')
    .replace(/\S*[/\\]\S*/g, 'p')
    .replace(/\S*\d\S*/g, 'n')
    .replace(/\s+/g, ' ')
    .split(' ')
    .slice(0, 8)
    .join(' ');
