/** A text without what a host wraps around it. */
export interface OpenedText {
  content: string;
  /** The exit code that the envelope states. */
  exitCode: number | undefined;
  /** The host states the exit code in its own words, so no command can have printed it. */
  isHostWorded: boolean;
  /** How long the call took in milliseconds, if the envelope says so. */
  durationMs: number | undefined;
  /** The host wrapped the text in a tag for errors. */
  isTagged: boolean;
}

/** A header ends within this many characters, a footer is shorter. */
const MAX_HEADER = 8000;
const MAX_FOOTER = 200;
/** A header without an end mark is at most this long. */
const MAX_LINES = 8;

/**
 * The ways to state an exit code in a line of its own: `Exit code: 1`, `exit status 2`, `rc=1`,
 * `POSIX exit code: 1`, `exitcode: 1 (execution failed)`, `Process exited with code 1`,
 * `(Command exited with code 1)`, `[The command completed with exit code 1.]`,
 * `<returncode>1</returncode>`.
 */
const EXIT_LINE =
  /^[\s([<{*`#>-]{0,6}(?:error: )?(?:(?:the |this )?(?:\w+ )?(?:command|process|program|script|shell|task|job|run|bash|execution)\b[ :]*)?(?:(?:has |was |is )?(?:exited|completed|finished|failed|terminated|returned|ended|done)\b[ :]*)?(?:with |and )?(?:an? )?(?:non-?zero )?(?:posix )?(?:(?:exit|return)[ _-]?(?:code|status|value)|(?<=(?:exited|completed|finished|failed|terminated|returned|ended) with (?:an? )?)(?:code|status)|rc)\b\s{0,2}(?:is |of |was )?[:=>]?\s{0,2}(-?\d{1,10})\b(?:\s*\([^()\n]{0,60}\)|<\/\w+>)?[\s\])}.*`!]*$/i;

/** The exit code that a line states; undefined if it states none. */
export function exitCodeIn(line: string): number | undefined {
  if (line.length > MAX_FOOTER || !/(?:code|status|value|rc)/i.test(line)) return undefined;
  const code = EXIT_LINE.exec(line)?.[1];
  return code === undefined ? undefined : Number(code);
}

/** `exit code: 1` may be printed by the command itself; these words are the host's. */
const HOST_WORDED = /\b(?:command|process|execution|task)\b|^\s*[[(<]/i;
/** `EXIT_CODE: 1` is a field, not a sentence. */
const FIELD = /^[A-Z]+_[A-Z]+: /;
const isOfHost = (line: string): boolean => HOST_WORDED.test(line) || FIELD.test(line);

/** A line of a header: `Wall time: 0.1 seconds`, `Chunk ID: 6fbc90`, or one about the exit code. */
const HEADER_LINE = /^[A-Z][A-Za-z]*(?: [A-Za-z]+){0,3}(?:: ?\S.*| -?[\d.]+ ?\w{0,12})$/;
const isHeaderLine = (line: string): boolean =>
  HEADER_LINE.test(line) || exitCodeIn(line) !== undefined;

/** `Command read_range returned: ` before what it returned. */
const RETURNED =
  /^\s{0,4}(?:command|tool|function|action|call(?: to)?) [^\n:]{1,80}? (?:returned|responded|answered)(?: with)?: ?/i;

const OUTPUT = /(?:^|\n)(?:Output|stdout|STDOUT):[ \t]?\n/;
const COMMAND = /^(?:Command|Cmd|\$)[: ]/;
const WALL = /^(?:Wall|Elapsed|Duration)(?: time)?:? ([\d.]+) ?(ms|s\b|seconds?\b)?/;
const TAG = '<tool_use_error>';
const CLOSING = '</tool_use_error>';
const RETURN_CODE = /^\s*<(?:returncode|return_code|exit_code|exitcode)>(-?\d{1,10})<\/\w+>\s*/;
const WRAPPED = /^<(output|stdout)>\n?([\s\S]*?)\n?<\/\1>\s*$/;

/**
 * Removes the envelope of a text: a header of `Key: value` lines before `Output:`, a first or a
 * last line that states the exit code, and the tags that hosts put around an error.
 */
export function unwrapped(text: string): OpenedText {
  const found: OpenedText = {
    content: text,
    exitCode: undefined,
    isHostWorded: false,
    durationMs: undefined,
    isTagged: false,
  };
  untag(found);
  found.content = found.content.replace(RETURNED, '');
  returnCode(found);
  header(found);
  firstLine(found);
  footer(found);
  return found;
}

function untag(found: OpenedText): void {
  const start = found.content.slice(0, 40).trimStart();
  if (!start.startsWith(TAG)) return;
  found.isTagged = true;
  const inner = found.content.trimStart().slice(TAG.length);
  found.content = inner.endsWith(CLOSING) ? inner.slice(0, -CLOSING.length) : inner;
}

function returnCode(found: OpenedText): void {
  const code = RETURN_CODE.exec(found.content.slice(0, MAX_FOOTER));
  if (!code) return;
  Object.assign(found, { exitCode: Number(code[1]), isHostWorded: true });
  const rest = found.content.slice(code[0].length);
  found.content = rest.startsWith('<') ? (WRAPPED.exec(rest)?.[2] ?? rest) : rest;
}

/** The lines before `Output:`, if all of them are lines of a header, or the command itself. */
function header(found: OpenedText): void {
  const head = found.content.slice(0, MAX_HEADER);
  const end = OUTPUT.exec(head);
  if (!end || end.index === 0) return;
  const lines = head.slice(0, end.index).split('\n');
  let first = lines.length;
  while (first > 0 && isHeaderLine(lines[first - 1]!)) first--;
  if (first === lines.length || (first > 0 && !COMMAND.test(lines[0]!))) return;
  for (const line of lines.slice(first)) note(found, line);
  found.content = found.content.slice(end.index + end[0].length);
}

function note(found: OpenedText, line: string): void {
  const code = exitCodeIn(line);
  if (code !== undefined) Object.assign(found, { exitCode: code, isHostWorded: true });
  const wall = WALL.exec(line);
  if (wall) found.durationMs = Math.round(Number(wall[1]) * (wall[2] === 'ms' ? 1 : 1000));
}

/** `Exit code 1` above the output. */
function firstLine(found: OpenedText): void {
  const lines = found.content.slice(0, MAX_FOOTER * 2).split('\n', MAX_LINES);
  const at = lines[0]!.trim() === '' ? 1 : 0;
  const code = exitCodeIn(lines[at] ?? '');
  if (code === undefined || (found.exitCode !== undefined && found.exitCode !== code)) return;
  found.exitCode = code;
  found.isHostWorded ||= isOfHost(lines[at]!);
  const length = lines.slice(0, at + 1).join('\n').length;
  found.content = found.content.slice(length).replace(/^\n/, '');
}

/** `(Command exited with code 1)` below the output, and lines of brackets after it. */
function footer(found: OpenedText): void {
  const tail = found.content.slice(-MAX_FOOTER * 2).trimEnd();
  const lines = tail.split('\n').slice(-3);
  for (let i = lines.length - 1; i >= 0; i--) {
    const code = exitCodeIn(lines[i]!);
    if (code === undefined) {
      if (!/^\s*[[(<]/.test(lines[i]!)) return;
      continue;
    }
    if (found.exitCode === undefined)
      Object.assign(found, { exitCode: code, isHostWorded: isOfHost(lines[i]!) });
    const cut = lines.slice(i).join('\n').length;
    const kept = found.content.trimEnd();
    found.content = kept.slice(0, kept.length - cut).trimEnd();
    return;
  }
}
