import type { RefusedBy } from '../event.ts';
import { hash64 } from '../hash.ts';
import { didNotBegin, saysTemporary, TRANSIENT } from '../outcomes/words.ts';
import type { ErrorPrint } from '../prints.ts';
import { refusedFor } from '../read-event.ts';
import { redact } from '../redact/redact.ts';
import { wordHashes } from './words.ts';

/**
 * Only the beginning and the end of a text are examined, because that is where errors are
 * announced.
 */
const OPENING = 400;
const TAIL = 400;
/** A message with fewer letters is too common to identify a kind of error. */
const TELLING_LETTERS = 24;
const MAX_MESSAGE = 1000;
const MAX_WORDS = 64;
const MAX_LABEL = 120;

/** Masked before it is cut: half a secret no longer looks like one. */
const labelOf = (line: string): string =>
  redact(line.trim().slice(0, 4 * MAX_LABEL)).slice(0, MAX_LABEL);

const UNKNOWN_TOOL =
  /no such tool|unknown tool|tool ["'`]?[\w./-]+["'`]? (?:is )?(?:not (?:found|available|exist)|does not exist|doesn't exist|unknown)|unknown function|no tool named/i;
const INVALID_ARGUMENTS =
  /inputvalidationerror|invalid (?:arguments?|parameters?|params|input|tool input)|missing (?:\d+ )?required|unexpected (?:keyword )?argument|schema validation|does not match (?:the )?schema|required (?:property|parameter|argument)|unrecognized (?:key|argument)/i;

/** Words of a host about a call, which no program prints about its own work. */
const REFUSED_BY_HOST = /inputvalidationerror|no such tool|unknown tool|invalid tool input/i;

/** A result that is an error, as far as the kind of error depends on it. */
export interface ErrorSource {
  tool: string;
  text: string;
  /** A command or a check: if nobody refused it, it ran, whatever its output says. */
  ran?: boolean;
  refusedBy: RefusedBy | undefined;
  /** Names the error if its text is empty. */
  exitCode?: number | undefined;
  /**
   * What a check prints is what it tests, so only unmistakable words make its failure temporary, or
   * a first line that says that it did not begin.
   */
  checks?: boolean;
  seed: number;
}

/** The kind of error that a failed result is. */
export function errorClass({
  tool,
  text,
  ran = false,
  refusedBy,
  exitCode,
  checks,
  seed,
}: ErrorSource): ErrorPrint {
  const isTemporary = (part: string): boolean =>
    checks ? TRANSIENT.test(part) : saysTemporary(part);
  const opening = text.slice(0, OPENING);
  const line = tellingLine(text) || (exitCode === undefined ? '' : `Exit code ${exitCode}`);
  const kind = maskedKind(line);
  return {
    class: hash64(`${tool}|${kind}`, seed),
    kind: (kind.match(/[a-z]/g)?.length ?? 0) >= TELLING_LETTERS ? hash64(kind, seed) : '',
    label: labelOf(line),
    words: wordHashes(text.slice(0, MAX_MESSAGE), seed, MAX_WORDS),
    transient:
      isTemporary(opening) ||
      (checks === true && didNotBegin(opening)) ||
      (text.length > OPENING && isTemporary(text.slice(-TAIL))),
    refusal:
      refusedFor(refusedBy) ??
      (ran && !REFUSED_BY_HOST.test(opening)
        ? null
        : UNKNOWN_TOOL.test(opening)
          ? 'tool'
          : INVALID_ARGUMENTS.test(opening)
            ? 'arguments'
            : null),
  };
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
