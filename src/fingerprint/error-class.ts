import { type RefusedBy, refusedFor } from '../event.ts';
import { hash64 } from '../hash.ts';
import type { ErrorPrint } from '../prints.ts';
import { wordHashes } from './words.ts';

/** Only the opening and the end of a text are looked at: an error announces itself. */
const OPENING = 400;
const TAIL = 400;
/** In a text this short a passing condition is all there is. */
const SHORT = 200;
/** A message of fewer letters is said by many programs of many things. */
const TELLING_LETTERS = 24;
const MAX_MESSAGE = 1000;
const MAX_WORDS = 64;

/** Where the host says nothing, a result whose first words say so is an error. */
const SAYS_SO =
  /^\W*(?:usage: [^\n]*\n+error|execution timed out|<tool_use_error>|failures =|errors =|[\w./-]+\(\d+,\d+\): error|traceback \(most recent|(?:\w+ ){0,2}?\w*(?:error|exception)\b ?(?:[:(!]|- )|error (?:while|when|in|occurred|executing|running|updating|reading|writing|calling|\d)|fatal\b|panic:|uncaught|exit(?:ed with)? code:? [1-9]|command failed|http(?:\/[\d.]+)? ?(?:error |status )?[45]\d\d\b|(?:status|code):? ?[45]\d\d\b|[45]\d\d (?:bad|not|forbidden|unauthori|too many|internal|service|gateway|conflict|method|request|gone|payment|unprocess|client|server)|failed\b|failure\b|fail\b|invalid\b|cannot\b|can't\b|could not\b|couldn't\b|unable to\b|permission denied|access denied|denied\b|not found\b|not allowed\b|no such\b|unknown (?:tool|command|option)|forbidden\b|unauthori[sz]ed\b|refused\b|rejected\b|declined\b|timed out\b|timeout\b(?!: ?\d+ ?\w*(?:\n|$)| set\b))/i;

/** A count of none at the beginning is a report: `Failed: 0`. */
const NONE = /^\W*(?:[a-z]+ ){0,3}[a-z]+:? (?:0|none)\s*(?:$|[\n,;|)]|of\b)/i;

/** So is a short one whose first line says so further on. */
const SAYS_LATER =
  /^(?!\W*warn)[^\n]{0,80}\b(?:not found|does not exist|doesn't exist|no such file|is invalid|was (?:refused|rejected|declined|denied)|(?:has |have )?(?:refused|rejected|declined) (?:your|the|this)|command not found|permission denied|[1-9]\d* (?:tests? )?fail(?:ed|ing)|sibling (?:tool )?call (?:failed|errored))\b/i;

/** A tool's own word that it has not done what it was asked to: stronger than a flag that says that the tool has run. */
const REFUSED =
  /\bno replacement was performed|\b(?:changes|edits?|patch) (?:was|were|has|have) not (?:been )?applied|^\W*(?:failed to (?:apply|find (?:expected|context))|(?:error: )?patch (?:failed|does not apply)|string to replace not found)|\bbash: (?:line \d+: |-c: )+(?:syntax error|unexpected eof)/i;

/** What a file's own text may hold; for reads of files only the tool's own voice counts. */
const TOOL_SAYS_SO =
  /^\W*(?:<tool_use_error>|error\b ?:|enoent|eacces|eisdir|file (?:not found|does not exist)|no such file|permission denied|cannot (?:read|open)|could not (?:read|open))|^[^\n]{0,120}(?:no such file or directory|file does not exist|file not found)/i;

const TRANSIENT =
  /(?:\bhttp(?:\/[\d.]+)?|\bstatus(?: code)?|\bcode|\berror)[\s:=(["']{1,3}(?:429|50[234])\b|\b(?:429|50[234])\b[\s:,-]{0,3}(?:too many|service|bad gateway|gateway|slow down)|rate.?limit|too many requests|overloaded|econnreset|connection reset|temporarily unavailable|service unavailable|throttl/i;

const UNKNOWN_TOOL =
  /no such tool|unknown tool|tool ["'`]?[\w./-]+["'`]? (?:is )?(?:not (?:found|available|exist)|does not exist|doesn't exist|unknown)|unknown function|no tool named/i;
const INVALID_ARGUMENTS =
  /inputvalidationerror|invalid (?:arguments?|parameters?|params|input|tool input)|missing (?:\d+ )?required|unexpected (?:keyword )?argument|schema validation|does not match (?:the )?schema|required (?:property|parameter|argument)|unrecognized (?:key|argument)/i;

/** Fields of an answer that refuses. */
const REFUSES = /^(?:ok|success|accepted): false$|^error(?:s|_?messages?)?: \S/im;
/** The same from a tool that was asked to do something; where it was only asked, this is the answer. */
const DENIES = /^(?:approved|valid|allowed): false$|^status: (?:error|failed|failure|rejected|refused|declined|denied)$/im;

export interface ErrorQuestion {
  tool: string;
  text: string;
  /** The host's own word: it failed (flagged, a non-zero exit code, refused), or it went well. Undefined where it says nothing. */
  failed: boolean | undefined;
  refusedBy: RefusedBy | undefined;
  /** The tool reads a file: its text is content. */
  content: boolean;
  /** The tool was only asked something. */
  asked: boolean;
  /** The result came as an object, so `text` is `name: value` lines. */
  fields: boolean;
  seed: number;
}

/** The kind of error a result is, or null when it is none. The host's word comes first, then the whole result; no line of it counts against the host. */
export function errorClass(question: ErrorQuestion): ErrorPrint | null {
  const { tool, text, failed, refusedBy, seed } = question;
  const opening = text.slice(0, OPENING);
  if (failed !== true && !isRefused(text, question) && (failed === false || !announcesError(opening, question))) return null;
  const line = tellingLine(text);
  const kind = maskedKind(line);
  return {
    class: hash64(`${tool}|${kind}`, seed),
    kind: (kind.match(/[a-z]/g)?.length ?? 0) >= TELLING_LETTERS ? hash64(kind, seed) : '',
    label: line.trim().slice(0, 120),
    words: wordHashes(text.slice(0, MAX_MESSAGE), seed, MAX_WORDS),
    transient: TRANSIENT.test(opening) || (text.length > OPENING && TRANSIENT.test(text.slice(-TAIL))),
    refusal: refusedFor(refusedBy) ?? (UNKNOWN_TOOL.test(opening) ? 'tool' : INVALID_ARGUMENTS.test(opening) ? 'arguments' : null),
  };
}

/** Said at either end; what a file holds is another matter. */
const isRefused = (text: string, { content }: ErrorQuestion): boolean =>
  (!content || text.length <= SHORT) &&
  (REFUSED.test(text.slice(0, OPENING)) || (text.length > OPENING && REFUSED.test(text.slice(-TAIL))));

function announcesError(opening: string, { content, asked, fields, text }: ErrorQuestion): boolean {
  if (content && text.length > SHORT) return TOOL_SAYS_SO.test(opening);
  if (NONE.test(opening)) return false;
  if (!content && opening.length <= SHORT && TRANSIENT.test(opening)) return true;
  if ((text.length <= OPENING && SAYS_LATER.test(opening)) || (content ? TOOL_SAYS_SO : SAYS_SO).test(opening)) return true;
  if (content) return false;
  return fields && (REFUSES.test(opening) || (!asked && DENIES.test(opening)));
}

/** Names a kind of error, or says after the word what it is. */
const SPECIFIC = /\b[A-Z]\w*(?:Error|Exception)\b|\bE[A-Z]{4,}\b|\b[A-Z]{1,6}\d{3,5}\b|\b(?:error|fatal|panic|failed)\b[^:]{0,40}: *\S/;
const NAMES_ERROR =
  /\b\w*(?:error|exception)\b|fatal|panic|cannot|can't|could not|unable|failed|denied|refused|invalid|not found|no such|expected/i;
/** A heading, a number, how to call it: these name no kind. */
const HEADING = /^\W*(?:(?:errors?|failed|failures?|exit code:? \d+|stderr|stdout|output)\W*$|usage:)/i;

/** The one line that says what went wrong: the last of a traceback, else the first of the most specific ones. */
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

/** The line with paths, numbers, quoted and bracketed values masked; the line itself when that leaves next to nothing. */
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
  return (masked.match(/[a-z]/g)?.length ?? 0) >= 4 ? masked : short.trim().slice(0, 300).toLowerCase();
}
