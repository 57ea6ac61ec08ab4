import { type RefusedBy, refusedFor } from '../event.ts';
import { hash64 } from '../hash.ts';
import type { ErrorPrint } from '../prints.ts';
import { wordHashes } from './words.ts';

/**
 * Only the beginning and the end of a text are examined, because that is where errors are
 * announced.
 */
const OPENING = 400;
const TAIL = 400;
/** A text this short that mentions a transient condition is about nothing else. */
const SHORT = 200;
/** A message with fewer letters is too common to identify a kind of error. */
const TELLING_LETTERS = 24;
const MAX_MESSAGE = 1000;
const MAX_WORDS = 64;

/** If the host does not say, a result that begins with these words is an error. */
const SAYS_SO =
  /^\W*(?:usage: [^\n]*\n+error|execution timed out|<tool_use_error>|failures =|errors =|[\w./-]+\(\d+,\d+\): error|traceback \(most recent|(?:\w+ ){0,2}?\w*(?:error|exception)\b ?(?:[:(!]|- )|error (?:while|when|in|occurred|executing|running|updating|reading|writing|calling|\d)|fatal\b|panic:|uncaught|exit(?:ed with)? code:? [1-9]|command failed|http(?:\/[\d.]+)? ?(?:error |status )?[45]\d\d\b|(?:status|code):? ?[45]\d\d\b|[45]\d\d (?:bad|not|forbidden|unauthori|too many|internal|service|gateway|conflict|method|request|gone|payment|unprocess|client|server)|failed\b|failure\b|fail\b|invalid\b|cannot\b|can't\b|could not\b|couldn't\b|unable to\b|permission denied|access denied|denied\b|not found\b|not allowed\b|no such\b|unknown (?:tool|command|option)|forbidden\b|unauthori[sz]ed\b|refused\b|rejected\b|declined\b|timed out\b|timeout\b(?!: ?\d+ ?\w*(?:\n|$)| set\b))/i;

/** A count of none at the beginning is a report: `Failed: 0`. */
const NONE = /^\W*(?:[a-z]+ ){0,3}[a-z]+:? (?:0|none)\s*(?:$|[\n,;|)]|of\b)/i;

/** A short result whose first line contains these words is an error, too. */
const SAYS_LATER =
  /^(?!\W*warn)[^\n]{0,80}\b(?:not found|does not exist|doesn't exist|no such file|is invalid|was (?:refused|rejected|declined|denied)|(?:has |have )?(?:refused|rejected|declined) (?:your|the|this)|command not found|permission denied|[1-9]\d* (?:tests? )?fail(?:ed|ing)|sibling (?:tool )?call (?:failed|errored))\b/i;

/**
 * The tool says that it did not do what it was asked to. This outweighs a host's flag that the tool
 * ran.
 */
const REFUSED =
  /\bno replacement was performed|\b(?:changes|edits?|patch) (?:was|were|has|have) not (?:been )?applied|^\W*(?:failed to (?:apply|find (?:expected|context))|(?:error: )?patch (?:failed|does not apply)|string to replace not found)|\bbash: (?:line \d+: |-c: )+(?:syntax error|unexpected eof)/i;

/** For reads of files: only these count, because a file's own text may contain the other words. */
const TOOL_SAYS_SO =
  /^\W*(?:<tool_use_error>|error\b ?:|enoent|eacces|eisdir|file (?:not found|does not exist)|no such file|permission denied|cannot (?:read|open)|could not (?:read|open))|^[^\n]{0,120}(?:no such file or directory|file does not exist|file not found)/i;

const TRANSIENT =
  /(?:\bhttp(?:\/[\d.]+)?|\bstatus(?: code)?|\bcode|\berror)[\s:=(["']{1,3}(?:429|50[234])\b|\b(?:429|50[234])\b[\s:,-]{0,3}(?:too many|service|bad gateway|gateway|slow down)|rate.?limit|too many requests|overloaded|econnreset|etimedout|eai_again|connection reset|socket hang up|\bfetch failed\b|\brequest timed out|(?:read|connect)timeout(?:error)?\b|remotedisconnected|remote end closed connection|sqlite_busy|database (?:table )?is locked|deadlock (?:detected|found)|could not serialize access|lock wait timeout|(?:please )?(?:try|retry) again later|temporarily unavailable|service unavailable|throttl/i;

const UNKNOWN_TOOL =
  /no such tool|unknown tool|tool ["'`]?[\w./-]+["'`]? (?:is )?(?:not (?:found|available|exist)|does not exist|doesn't exist|unknown)|unknown function|no tool named/i;
const INVALID_ARGUMENTS =
  /inputvalidationerror|invalid (?:arguments?|parameters?|params|input|tool input)|missing (?:\d+ )?required|unexpected (?:keyword )?argument|schema validation|does not match (?:the )?schema|required (?:property|parameter|argument)|unrecognized (?:key|argument)/i;

/** Fields of a result that report a refusal. */
const REFUSES = /^(?:ok|success|accepted): false$|^error(?:s|_?messages?)?: \S/im;
/**
 * The same, but only from a tool that was asked to do something. To a question, these are ordinary
 * answers.
 */
const DENIES =
  /^(?:approved|valid|allowed): false$|^status: (?:error|failed|failure|rejected|refused|declined|denied)$/im;

export interface ErrorQuestion {
  tool: string;
  text: string;
  /**
   * What the host says: true if it failed (a flag, a non-zero exit code, a refusal), false if it
   * succeeded, undefined if the host does not
   * say.
   */
  failed: boolean | undefined;
  refusedBy: RefusedBy | undefined;
  /** The tool reads a file, so the text is the file's content. */
  content: boolean;
  /** The call only asks something. */
  asked: boolean;
  /** The result was an object, so `text` consists of `name: value` lines. */
  fields: boolean;
  seed: number;
}

/**
 * The kind of error that a result is, or null if it is none. The host's word comes first and the
 * text second. If the host says that the
 * call succeeded, only a refusal in the tool's own words counts.
 */
export function errorClass(question: ErrorQuestion): ErrorPrint | null {
  const { tool, text, failed, refusedBy, seed } = question;
  const opening = text.slice(0, OPENING);
  if (
    failed !== true &&
    !isRefused(text, question) &&
    (failed === false || !announcesError(opening, question))
  )
    return null;
  const line = tellingLine(text);
  const kind = maskedKind(line);
  return {
    class: hash64(`${tool}|${kind}`, seed),
    kind: (kind.match(/[a-z]/g)?.length ?? 0) >= TELLING_LETTERS ? hash64(kind, seed) : '',
    label: line.trim().slice(0, 120),
    words: wordHashes(text.slice(0, MAX_MESSAGE), seed, MAX_WORDS),
    transient:
      TRANSIENT.test(opening) || (text.length > OPENING && TRANSIENT.test(text.slice(-TAIL))),
    refusal:
      refusedFor(refusedBy) ??
      (UNKNOWN_TOOL.test(opening) ? 'tool' : INVALID_ARGUMENTS.test(opening) ? 'arguments' : null),
  };
}

/** Looks at both ends of the text. A file's content does not count, unless it is short. */
const isRefused = (text: string, { content }: ErrorQuestion): boolean =>
  (!content || text.length <= SHORT) &&
  (REFUSED.test(text.slice(0, OPENING)) ||
    (text.length > OPENING && REFUSED.test(text.slice(-TAIL))));

function announcesError(opening: string, { content, asked, fields, text }: ErrorQuestion): boolean {
  if (content && text.length > SHORT) return TOOL_SAYS_SO.test(opening);
  if (NONE.test(opening)) return false;
  if (!content && opening.length <= SHORT && TRANSIENT.test(opening)) return true;
  if (
    (text.length <= OPENING && SAYS_LATER.test(opening)) ||
    (content ? TOOL_SAYS_SO : SAYS_SO).test(opening)
  )
    return true;
  if (content) return false;
  return fields && (REFUSES.test(opening) || (!asked && DENIES.test(opening)));
}

/** Names a kind of error, or a word such as `error` with a message after it. */
const SPECIFIC =
  /\b[A-Z]\w*(?:Error|Exception)\b|\bE[A-Z]{4,}\b|\b[A-Z]{1,6}\d{3,5}\b|\b(?:error|fatal|panic|failed)\b[^:]{0,40}: *\S/;
const NAMES_ERROR =
  /\b\w*(?:error|exception)\b|fatal|panic|cannot|can't|could not|unable|failed|denied|refused|invalid|not found|no such|expected/i;
/** A heading, a number or a usage line does not name a kind. */
const HEADING =
  /^\W*(?:(?:errors?|failed|failures?|exit code:? \d+|stderr|stdout|output)\W*$|usage:)/i;

/**
 * The one line that says what went wrong: the last line of a traceback, otherwise the first of the
 * most specific lines.
 */
function tellingLine(text: string): string {
  if (/^\W*traceback/i.test(text)) {
    const tail = text.slice(-1000).trimEnd();
    return tail.slice(tail.lastIndexOf('\n') + 1);
  }
  let best = '';
  let rank = -1;
  for (const line of text.slice(0, 2000).split('\n')) {
    if (line.trim() === '') continue;
    const own = HEADING.test(line) ? 0 : SPECIFIC.test(line) ? 3 : NAMES_ERROR.test(line) ? 2 : 1;
    if (own <= rank) continue;
    rank = own;
    best = line;
  }
  return best;
}

/**
 * The line with paths, numbers, quoted and bracketed values masked. If that leaves almost nothing,
 * the line itself.
 */
function maskedKind(line: string): string {
  const short = line.slice(0, 1000);
  const masked = short
    .replace(/\x1b\[[0-9;]*m/g, '')
    .replace(/"[^"]*"|'[^']*'|`[^`]*(?:`|$)|“[^”]*”|\[[^\]]*(?:\]|$)/g, '#')
    .replace(/(?:[a-z]+:\/\/)?[\w.~@-]*[/\\][\w./\\~@:?=&%+-]*/gi, '#')
    .replace(/\b[\w-]+\.\w{1,5}\b/g, '#')
    .replace(/\b[\w.-]*\d[\w.-]*/g, '#')
    .replace(/[#$€£]+/g, '#')
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase()
    .slice(0, 160);
  return (masked.match(/[a-z]/g)?.length ?? 0) >= 4
    ? masked
    : short.trim().slice(0, 300).toLowerCase();
}
