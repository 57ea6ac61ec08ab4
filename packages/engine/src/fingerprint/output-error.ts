import { fileName, filesIn } from './file-names.ts';
import { maskNoise, slug } from './gist.ts';

/** An error that an output reports. */
export interface OutputError {
  /** TypeError, TS2322, ENOENT, a lint rule; empty if it has no name. */
  type: string;
  /** The gist of its message. */
  gist: string;
  /** The file that the error is in, or empty. */
  file: string;
  /**
   * A failed expectation of a test, or a message of the test runner. It does not count as an error
   * if failing tests are reported.
   */
  ofTest: boolean;
}

const MAY_TELL =
  /rror|RROR|xception|panic|fatal|Fatal|npm ERR|not found|No such file|Segmentation fault/;
const MAX = 40;

/** The errors that the lines report, in order, without duplicates. */
export function errorsIn(lines: readonly string[]): OutputError[] {
  const found = new Map<string, OutputError>();
  let header = '';
  for (let i = 0; i < lines.length && found.size < MAX; i++) {
    const line = lines[i]!;
    if (/^\/?[\w.@/\\-]+\.\w+$/.test(line)) header = fileName(line) ?? header;
    if (!MAY_TELL.test(line)) continue;
    const said = linted(line) ?? compiled(line) ?? named(line) ?? bare(line);
    if (said === null) continue;
    const { type, message } = kindOf(said.type, said.message);
    const file =
      said.file ??
      fileOf(message) ??
      (said.isLint ? header : frameAfter(lines, i) || frameBefore(lines, i));
    const error = { type, gist: gistOf(message), file, ofTest: isOfTest(type, message) };
    found.set(errorKeyOf(error), found.get(errorKeyOf(error)) ?? error);
  }
  return [...found.values()];
}

/** Type, gist and file. The same error at another line has the same key. */
export const errorKeyOf = ({ type, gist, file }: OutputError): string =>
  [type, gist, file].filter((part) => part !== '').join('-');

interface Said {
  type: string;
  message: string;
  file?: string | null;
  isLint?: boolean;
}

/** `  2:9  error  'rate' is never used  no-unused-vars`, below a line that names the file. */
function linted(line: string): Said | null {
  const match = /^\s*\d+:\d+\s+error\s+(\S.*?)(?:\s{2,}([\w@/-]+))?\s*$/.exec(line);
  return match && { type: match[2] ?? 'lint', message: match[1]!, isLint: true };
}

/**
 * `a.ts(7,3): error TS2322: …`, `a.c:3:5: error: …`, `error[E0308]: …`, `fatal: …`, `panic: …`,
 * `npm ERR! …`.
 */
function compiled(line: string): Said | null {
  const match =
    /^\s*(?:(\S[^:(]*?)(?:\(\d+,\d+\)|:\d+(?::\d+)?):?\s+(?:-\s+)?)?(?:fatal |FATAL )?error(?:\s+([A-Z]{1,5}\d+)|\[([A-Z]\d+)\])?\s?:\s+(\S.*)$/.exec(
      line,
    );
  if (match)
    return {
      type: match[2] ?? match[3] ?? '',
      message: match[4]!,
      file: match[1] === undefined ? null : fileName(match[1]),
    };
  const other = /^\s*(fatal|panic|npm ERR!|npm error)(?::|\s)\s*(?:code\s+)?(\S.*)$/.exec(line);
  if (other) return { type: other[1]!.replace(/ (?:ERR!|error)$/, ''), message: other[2]! };
  const thread = /^\s*thread '([^']*)'.* panicked at (.+?):\d+:\d+:?$/.exec(line);
  if (thread) return { type: 'panic', message: '', file: fileName(thread[2]!) };
  const shell =
    /^(?:\S*sh: )?(?:line \d+: )?(\S.{0,80}?): (command not found|No such file or directory)\s*$/.exec(
      line,
    );
  return shell && { type: '', message: `${shell[1]} ${shell[2]}` };
}

const NAMED =
  /(?<![\w/.$-])((?:[A-Za-z_]\w*\.)*(?:[A-Z]\w*)?(?:Error|Exception))(?: \[\w+\])?(?::\s*|\s+[-–—]\s+)(\S.*)$/;
/** These words before an error's name mean that it is gone or only talked about. */
const SPOKEN_OF =
  /\b(?:no|not|without|fix|fixe[ds]|fixing|resolve[ds]?|resolving|handle[ds]?|handling|catch|catche[ds]|catching|caught|remove[ds]?|removing|prevent(?:s|ed|ing)?|avoid(?:s|ed|ing)?|throws?|throwing|raises?|raising|add(?:s|ed|ing)?|new|import|return|instanceof|class|extends|except|rescue|ignor(?:e|ed|es|ing)|longer|solved|was)\b[^.;!?]{0,40}$/i;

/** `TypeError: …` anywhere in a line, unless the words around it say that it is gone. */
function named(line: string): Said | null {
  const match = NAMED.exec(line);
  if (
    match === null ||
    SPOKEN_OF.test(line.slice(Math.max(0, match.index - 60), match.index)) ||
    isGone(match[2]!)
  )
    return null;
  if ((line.slice(0, match.index).match(/\b[a-z]+\b/g) ?? []).length >= PROSE) return null;
  return { type: match[1]!.slice(match[1]!.lastIndexOf('.') + 1), message: match[2]! };
}

/**
 * This many words before an error's name make the line a sentence about the error, not a report of
 * it.
 */
const PROSE = 7;
const isGone = (message: string): boolean =>
  /\b(?:is|are|was|were|been|now|no longer)\s+(?:fixed|resolved|gone|solved|occurs?|happens?|thrown|handled)\b/i.test(
    message,
  );

/** A line that begins with `Error` and does not talk about error handling. */
function bare(line: string): Said | null {
  const match =
    /^\W*(?:\d[\d:.,TZ-]*\W+)?(?:(?:uncaught|unhandled|fatal|runtime|internal|build|compile|compilation|syntax)\s+)?(?:Error|ERROR|error)\b(?!\s+(?:handling|logging|reporting|checking|messaging|tracking|mapping|testing|bounding)\b)[\s\]]*(?::|[-–—]\s|(?=(?:in|at|while|when|during|on|from|occurred|\w+ing|\d+)\b)|\[|(?=\S+\.\w+:\d+:\s))\s*(?:(\S+\.\w+):\d+(?::\d+)?:\s+)?(\S.*)$/i.exec(
      line,
    );
  return (
    match && {
      type: '',
      message: match[2]!,
      ...(match[1] === undefined ? {} : { file: fileName(match[1]) }),
    }
  );
}

/**
 * `Error: TypeError - …` is a TypeError, `Error: ENOENT: …` is an ENOENT; a plain `Error` has no
 * name.
 */
function kindOf(type: string, message: string): { type: string; message: string } {
  const plain = /^(?:Error|Exception)?$/.test(type);
  const inner =
    plain || type === 'npm'
      ? /^([A-Za-z]\w*(?:Error|Exception)|E[A-Z]{4,}(?=\s)|[A-Z][A-Z0-9_]{3,})(?::|\s+[-–—]|\s*$|(?<=^E[A-Z]{4,})\s)\s*(.*)$/.exec(
          message,
        )
      : null;
  if (inner) return { type: inner[1]!, message: inner[2]! };
  return { type: plain ? '' : type, message };
}

function isOfTest(type: string, message: string): boolean {
  return (
    /^Assert|^Expectation|^ComparisonFailure|^panic$/.test(type) ||
    /^(?:expect\(|expected\b|assert|test failed|tests failed|\d+ targets? failed|there (?:are|were) (?:test )?failures|failed to execute goal|process completed with exit code|command failed|lifecycle script|test suite failed)/i.test(
      message,
    ) ||
    /^(?:npm|ELIFECYCLE)$/.test(type)
  );
}

/** A few words of the message, without its place, quotes, line numbers and noise. */
function gistOf(message: string): string {
  const text = message.replace(/\s+at\s+(?:\S+\s+)?\(?[^\s()]+\.\w+(?::\d+)*\)?.*$/, '');
  const nothing =
    /\b(?:properties|property|read|set)\b.*\bof (null|undefined)\b(?: \(\w+ '([^']+)'\))?/.exec(
      text,
    );
  if (nothing)
    return nothing[2] === undefined ? nothing[1]! : `${nothing[1]}-${slug(nothing[2], 1)}`;
  return slug(maskNoise(text.replace(/\/\S*\/(?=[^/\s]+)/g, '')), 9);
}

/**
 * `… at auth.ts:45`, `… at Foo (x.ts:3:4)`: a file after the word `at` or `in`, never part of
 * another word.
 */
function fileOf(message: string): string | null {
  const match = /\s(?:at|in)\s+(?:[\w.<>]+\s+)?\(?((?:file:\/\/)?[^\s():,]+)/.exec(message);
  return match ? fileName(match[1]!.replace(/^file:/, '')) : null;
}

const FRAME = /^\s*(?:at\s|❯|-->|╭|File "|[^\s:]+:\d+(?::\d+)?:?\s|[^\s:]+\.go:\d+)/;
const FOREIGN =
  /node_modules|node:|internal\/|site-packages|lib\/python|\/rustc\/|\/usr\/|<anonymous>|<frozen|\.cargo\/registry|\/pkg\/mod\//;

function frameAfter(lines: readonly string[], at: number): string {
  for (let i = at + 1; i < Math.min(lines.length, at + 16); i++) {
    const file = frame(lines[i]!);
    if (file !== '') return file;
  }
  return '';
}

/** Python lists the frames before the message, innermost last. */
function frameBefore(lines: readonly string[], at: number): string {
  for (let i = at - 1; i >= Math.max(0, at - 12); i--) {
    const file = /^\s*File "/.test(lines[i]!) ? frame(lines[i]!) : '';
    if (file !== '') return file;
  }
  return '';
}

function frame(line: string): string {
  if (!FRAME.test(line) || FOREIGN.test(line)) return '';
  return (
    filesIn(line).find(({ end }) => /^(?::\d|", line)/.test(line.slice(end, end + 7)))?.name ?? ''
  );
}
