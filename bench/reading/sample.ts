import type { CallFinished } from '@unrut/engine/event';
import { contentOf, readFinished, startFolders } from '@unrut/engine/fingerprint';
import { hash64 } from '@unrut/engine/hash';
import { isObject, textOf } from '@unrut/engine/json';
import type { ResultOutcome } from '@unrut/engine/outcomes/outcome';
import { factsOf, readOutcome } from '@unrut/engine/outcomes/read-outcome';
import { type Recorded, shapeOf } from './results.ts';

/** One result as the reader gets it, without the flag, and what the flag said. */
export interface Sample {
  id: string;
  source: string;
  kind: ToolKind;
  /** Results of one shape differ only in names and numbers. */
  shape: string;
  truth: boolean;
  /** The host's statement was removed from the text. */
  isBare: boolean;
  /** The text or a field states the outcome. */
  stated: boolean;
  outcome: ResultOutcome;
  tool: string;
  /** For shells the program and subcommand. */
  program: string;
  args: unknown;
  text: string;
}

export type ToolKind = 'shell' | 'edit' | 'read' | 'other';

/** How a set of results was reduced to those whose flag is truth. */
export interface Excluded {
  /** The exit status is that of another command: a pipe, `||`, `;` or a second line. */
  muted: number;
  /** Exit code 1 is the answer of a search or a comparison. */
  answers: number;
}

const LOOKS_UP =
  /^(?:[efpz]?grep|rg|ag|ack|diff|cmp|test|git (?:diff|grep)|which|command|type|\[\[?)$/;

/** Whether a failing exit code only means that nothing was found, or that two things differ. */
const isAnswer = (program: string, text: string): boolean =>
  LOOKS_UP.test(program) && (text.trim() === '' || /diff|cmp/.test(program));

const QUOTED = /'[^']*'|"(?:[^"\\]|\\.)*"|<<-?\s*['"]?(\w+)['"]?[\s\S]*?\n\1/g;

/** The quotes around the command line that a shell is given: `bash -lc "…"`. */
const GIVEN = /\b(?:ba|z|da|k)?sh(?: -\w+)*? -\w*c (?:"((?:[^"\\]|\\.)*)"|'([^']*)')/g;

/** Whether the exit status of a command line may be that of another command than the last. */
const isMuted = (command: string): boolean =>
  /[|;\n]|&(?!&|>|\d)(?<!&&)(?<!>&)/.test(
    command.slice(0, 20_000).replace(GIVEN, '$1$2').replace(QUOTED, 'q').trim(),
  );

function commandOf(args: unknown): string {
  if (!isObject(args)) return textOf(args);
  const command = args.command ?? args.cmd ?? args.script;
  return Array.isArray(command) ? command.join(' ') : textOf(command);
}

/**
 * Statements of an outcome, fixed before the reader was measured: an exit code in the first five
 * or the last three lines, a status field, a tag, or a first line that announces an error or a
 * success.
 */
const EXIT =
  /\bexit(?:ed)?\b(?: with)?[ _-]?(?:code|status)|\bexited with\b|return ?code|\brc ?= ?-?\d/i;
const FIELD =
  /"(?:status|state|ok|success|error|errors|isError|is_error|exit_code|exitCode|returncode)"\s*:/;
const ANNOUNCES =
  /^\W*(?:<tool_use_error>|error\b|\w*(?:error|exception)\b ?:|fatal\b|traceback\b|failed\b|failure\b|mcp error|validation (?:failed|error)|the user (?:doesn't|does not) want|\[request interrupted|request failed|no changes\b|success|(?:the )?file \S+ (?:has been|was|does not)|file created|updated\b|created\b)/i;

function isStated(text: string): boolean {
  const lines = text.trim().split('\n', 5000);
  const ends = [...lines.slice(0, 5), ...lines.slice(5).slice(-3)].map((line) =>
    line.slice(0, 300),
  );
  if (ends.some((line) => EXIT.test(line)) || ANNOUNCES.test(ends[0] ?? '')) return true;
  return /^\s*\{/.test(text) && FIELD.test(text.slice(0, 2000));
}

/** The text without the words in which Claude Code and Codex state that a call failed. */
function withoutStatement(text: string): string {
  const tagged = /^<tool_use_error>([\s\S]*?)(?:<\/tool_use_error>)?$/.exec(text);
  if (tagged) return tagged[1]!.replace(/^Error: /, '');
  const exit = /^(?:Error: )?Exit code \d+\n?/.exec(text);
  if (exit) return text.slice(exit[0].length);
  const printed = text.slice(0, 4000).indexOf('\nOutput:\n');
  return printed >= 0 && /^(?:Command:|Chunk ID:|Exit code:|Wall time)/.test(text)
    ? text.slice(printed + '\nOutput:\n'.length)
    : text;
}

/** The samples of recorded results whose flag is the host's own. */
export function samplesOf(results: readonly Recorded[]): { samples: Sample[]; excluded: Excluded } {
  const samples: Sample[] = [];
  const excluded: Excluded = { muted: 0, answers: 0 };
  for (const recorded of results) {
    const { flag } = recorded;
    if (flag === undefined) continue;
    const texts = textsOf(recorded);
    const first = sampleOf(recorded, texts[0]!, flag);
    if (first.kind === 'shell' && isMuted(commandOf(recorded.args))) excluded.muted++;
    else if (flag && isAnswer(first.program, texts.at(-1)!)) excluded.answers++;
    else
      for (const [i, text] of texts.entries()) samples.push(sampleOf(recorded, text, flag, i > 0));
  }
  return { samples, excluded };
}

function textsOf({ result }: Recorded): string[] {
  const text = typeof result === 'string' ? result : contentOf(result).text;
  const bare = withoutStatement(text);
  return bare === text ? [text] : [text, bare];
}

/** The reader's result for a text without any flag. */
export function sampleOf(
  { id, source, tool, args }: Pick<Recorded, 'id' | 'source' | 'tool' | 'args'>,
  text: string,
  truth: boolean,
  isBare = false,
): Sample {
  const event: CallFinished = {
    type: 'call-finished',
    session: 's',
    at: 0,
    call: { id, tool, args: args as never },
    result: text,
  };
  const call = readFinished({
    call: event.call,
    annotations: undefined,
    declared: undefined,
    folders: startFolders(),
    seed: 0,
  });
  const kind: ToolKind = call.shell
    ? 'shell'
    : call.verb === 'write'
      ? 'edit'
      : call.verb === 'read'
        ? 'read'
        : 'other';
  return {
    id,
    source,
    kind,
    shape: hash64(shapeOf(tool, text), 0),
    truth,
    isBare,
    stated: isStated(text),
    outcome: readOutcome(factsOf(event, call)),
    tool,
    program: call.tool,
    args,
    text,
  };
}
