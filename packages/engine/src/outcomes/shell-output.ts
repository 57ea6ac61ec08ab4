import { failuresIn } from '../fingerprint/failures.ts';
import type { OutcomeEvidence } from './outcome.ts';

/** A sign in the output of a command that the command failed. */
export interface FailureSign {
  /** In kebab-case. */
  name: string;
  /** Tested against single lines. */
  line: RegExp;
  /** How many lines from the beginning and from the end of the output it may stand. */
  first: number;
  last: number;
  /** Only the output of checks is searched for it: tests, builds and linters. */
  checks?: true;
}

/** The command, or a command that it ran, says that it ended badly. Nothing outweighs that. */
export const badEnds: readonly FailureSign[] = [
  {
    name: 'exit-code-in-words',
    line: /\b(?:exit(?:ed|ing)|failed|terminated|finished|completed|ended)\b[^\n]{0,60}?\b(?:code|status):? ?[1-9]\d{0,9}\b|^exit status [1-9]|^make(?:\[\d+\])?: \*\*\* |\bELIFECYCLE\b|^npm (?:ERR!|error) code |##\[error\]|\bERROR task failed\b/,
    first: 1,
    last: 4,
  },
  {
    name: 'build-failed',
    line: /^\W*(?:BUILD FAIL(?:ED|URE)|FAILURE: Build failed|Build FAILED|error: could not compile|error: build failed|Failed to compile|Compilation failed)/,
    first: 3,
    last: 12,
  },
  {
    name: 'crash',
    line: /^(?:Node\.js v\d|Segmentation fault|Aborted \(core dumped\)|Bus error|Killed$|\[?\w* ?core dumped|terminate called (?:after|without) )|Segmentation fault(?: \(core dumped\))?$/,
    first: 0,
    last: 3,
  },
];

/** What the output of failed commands looks like. A count of no failures outweighs these. */
export const failureSigns: readonly FailureSign[] = [
  {
    name: 'shell-complaint',
    line: /^(?:\/\S{1,40}\/)?(?:ba|z|da|k)?sh: (?!warning|.{0,80}: warning)|^zsh:\d+: |^\(eval\):\d+: |^[\w./-]{1,60}: command not found$|^command not found: |is not recognized as (?:an internal|the name|a name)/,
    first: 2,
    last: 3,
  },
  {
    name: 'fatal',
    line: /^(?:fatal|FATAL)(?: error)?: \S|^panic: |^thread '[^']{0,80}' panicked |^Exception in thread /,
    first: 2,
    last: 4,
  },
  {
    name: 'unknown-option',
    line: /^(?:[^\s:][^:]{0,60}: )?(?:error: )?(?:unknown|unrecogni[sz]ed|invalid|illegal|unsupported)(?: shorthand)? (?:flag|option|argument|command|subcommand)s?\b|^error: (?:unexpected|unknown|unrecogni[sz]ed|the following required) /i,
    first: 2,
    last: 3,
  },
  {
    name: 'named-error',
    line: /^[\w@.+/\\-]{1,200}(?::(?: line)? ?\d+){0,2}: (?:(?:fatal|internal|parse|syntax|type|compile|runtime) )?error[:,] \S/i,
    first: 2,
    last: 3,
  },
  {
    name: 'error-line',
    line: /^(?:Rebasing \(\d+\/\d+\)\s*)*\W{0,12}(?:error|Error|ERROR)(?: ?[:!](?!:)| from | response | while | in | \w+ing .{1,100}: |\[\w+\]:|\t)|^\s*(?:❌|✖|✗|✘|⛔|× (?=[A-Z]))\s*\S/,
    first: 3,
    last: 3,
  },
  {
    name: 'error-code',
    line: /^\W*(?:\[?(?:error|ERROR)\]?:? )?(?:ERR_[A-Z_]{3,}|E[A-Z]{4,12}:)|^npm (?:ERR!|error) |\blevel=(?:error|fatal)\b|^[\s\d:%.-]{0,120}curl: \(\d+\) |^wget: |\bERROR [45]\d\d: /,
    first: 2,
    last: 4,
  },
  {
    name: 'exception',
    line: /^(?:[a-zA-Z_]\w*(?:\.|::))*[A-Z]\w*(?:Error|Exception|Interrupt)(?:: \S|$)|\((?:[A-Z]\w*::)*[A-Z]\w*(?:Error|Exception)\)$|^Traceback \(most recent call last\)|^(?:Uncaught|Unhandled) |^\*\* \((?:\w+\.)*\w+\) \S|^CallStack \(from /,
    first: 2,
    last: 3,
  },
  {
    name: 'failed',
    line: /^(?:[\w'./:-]+ ){0,5}(?:failed|FAILED)(?:[:;.!]|$)|^(?:Failed|FAILED|failed) (?:to|with|in|on|because)\b|^(?:Could not|Cannot|Can't|Unable to) \S|\btimed out(?: after|$|\.)|^\w[\w-]{0,20} aborted!?$|^Aborted\b|^\W*(?:\w+! )?[Ss]omething went wrong\b|\b[Cc]onnection (?:.{0,80} )?refused\b(?!.*\bretry)|\bis already in use\b(?!.*\b(?:trying|using|instead)\b)/,
    first: 1,
    last: 3,
  },
  {
    name: 'needs-something-first',
    line: /^(?:you (?:are not|aren't|must be|need to be) (?:logged|signed|authenticated)|not (?:logged|signed) in\b|missing required \w|please (?:log ?in|sign in|run\b.{1,60}\b(?:first|before|login))\b|you need to (?:run|start|log|sign|set)\b|[A-Z][A-Z\d_]{2,60} (?:is|are) (?:not set|missing|required|undefined)\b)/i,
    first: 1,
    last: 1,
  },
  {
    name: 'failing-summary',
    line: /\b\d{1,7} (?:runs?|tests?|examples?|specs?|assertions?|scenarios?|steps?|passed|passing)\b.*[ (][1-9]\d{0,6} (?:failures?|failed|failing|errors?)\b|\b[1-9]\d{0,6} (?:failed|failing|failures?)\b.*[ (]\d{1,7} (?:passed|passing|tests?)\b|\bwould (?:be )?reformat|\b[Ff]ound [1-9]\d{0,5} (?:errors?|problems?)\b/,
    first: 0,
    last: 4,
  },
  {
    name: 'git-conflict',
    line: /^CONFLICT \(|^ ! \[(?:remote )?rejected\]|^The following paths are ignored by one of your|^Automatic merge failed|^Your branch and \S+ have diverged, and cannot|^\S+: needs merge$/,
    first: 24,
    last: 24,
  },
  {
    name: 'diagnostic',
    line: /^(?:\[[\w:.-]{1,40}\] |\w{1,12}: )?(?:\.{0,2}\/)?[\w@./\\-]{1,200}\.\w{1,5}(?::\d+(?::\d+)?|\(\d+(?:,\d+)?\)):? (?!\w*[Ww]arning|note|info|hint|\d|\s*(?:PASS|ok)\b).{3,}/,
    first: 4,
    last: 0,
    checks: true,
  },
  {
    name: 'counted-issues',
    line: /^(?:\[[\w:.-]{1,40}\] )?(?:Found )?[1-9]\d{0,5} (?:issues?|violations?|vulnerabilities|offenses?)(?: found)?[:.]?$/i,
    first: 0,
    last: 12,
    checks: true,
  },
  {
    name: 'failing-test-line',
    line: /^\s*(?:--- FAIL|FAIL(?:ED)?(?:\b|\t)|not ok \d|\(fail\) |[✗✘✖×] )/,
    first: 24,
    last: 24,
    checks: true,
  },
];

/**
 * Commands that show what is in files, logs and histories. The errors in their output are mostly
 * those of others.
 */
const DISPLAYS =
  /^(?:cat|head|tail|less|more|sed|awk|nl|bat|xxd|od|hexdump|strings|jq|yq|cut|sort|uniq|wc|[efpz]?grep|rg|ag|ack|find|fd|ls|tree|stat|file|diff|cmp|echo|printf|env|printenv|ps|du|df|journalctl|git (?:log|show|diff|blame|grep|status|branch|ls-files|reflog|stash|cat-file|config)|(?:docker|kubectl|podman) logs|docker compose logs|gh (?:run|pr|issue|release|repo) (?:view|diff|list|status))$/;

/** Whether the command shows the text of something else. */
export const displays = ({ facts }: OutcomeEvidence): boolean =>
  facts.shell && (facts.file || DISPLAYS.test(facts.tool));

/** Whether one of the signs stands in the output. */
export const shows = (evidence: OutcomeEvidence, signs: readonly FailureSign[]): boolean =>
  signs.some((sign) => isShown(evidence, sign));

function isShown(evidence: OutcomeEvidence, { line, first, last, checks }: FailureSign): boolean {
  const { facts, firstLines, lastLines, blockEnd } = evidence;
  if (checks && facts.verb !== 'verify' && !CHECKS.test(facts.tool)) return false;
  const shown = (each: string): boolean => line.test(each);
  return (
    firstLines.slice(0, first).some(shown) ||
    lastLines.slice(0, last).some(shown) ||
    blockEnd.slice(0, last).some(shown)
  );
}

/** Programs that check something, even if the command also writes. */
const CHECKS = /\b(?:test|build|lint|check|vet|tsc|typecheck|compile)\b|^go run$/;

/** The last summary counts no failures, and no text below it indicates one. */
export function endsWithoutFailure(evidence: OutcomeEvidence): boolean {
  const { lastLines } = evidence;
  const summary = lastLines.slice(0, SUMMARY);
  const at = summary.findIndex((line) => failuresIn(line) === 0 || ALL_PASSED.test(line));
  if (at < 0 || summary.some((line) => SOME_FAILED.test(line))) return false;
  const below = { ...evidence, firstLines: [], blockEnd: [], lastLines: lastLines.slice(0, at) };
  return !shows(below, failureSigns);
}

const SOME_FAILED = /\b[1-9]\d{0,6} (?:failed|failing|failures?)\b/;

/** A summary that counts all tests and names none that failed. */
const ALL_PASSED =
  /\b(\d{1,7}) passed(?:, \1 total|\s*\(\1\))\s*$|^\s*\d{1,7} passing\b|^=*\s*\d{1,7} passed in /;

/** A summary is in this many lines at the end. */
const SUMMARY = 10;

const FRAMES = /^\s+(?:at |File "|from )/;

/** The shell itself complains: about a command that does not exist, or a pattern. */
const SHELL_COMPLAINT = /^(?:\/\S{1,40}\/)?(?:ba|z|da|k)?sh: |^zsh:\d+: |^\(eval\):\d+: /;
const SOFT =
  /^\W*(?:warn|note|info|hint|using|skipping|entering directory|leaving directory|nothing to be done)|: binary file matches$|^Binary file |\(ignored\)$| is up to date\.?$/i;
/** In a longer output of a command that shows texts, such a line may be part of the text. */
const MAX_COMPLAINT = 600;

/**
 * The program that ran complains under its own name, as in `ls: x: No such file or directory`, or
 * the shell does. The texts that `cat` and `grep` show do not look like that by accident.
 */
export function complains({
  facts,
  content,
  firstLines,
  lastLines,
  blockEnd,
}: OutcomeEvidence): boolean {
  const program = facts.tool.split(' ')[0] ?? '';
  if (program === '') return false;
  const starts = STARTS[program] ?? [`${program}: `];
  const own = [...firstLines.slice(0, 2), ...lastLines.slice(0, 2), ...blockEnd.slice(0, 2)];
  return (
    own.some((line) =>
      starts.some(
        (start) =>
          (line.startsWith(start) || (SHELL_COMPLAINT.test(line) && line.includes(` ${start}`))) &&
          !SOFT.test(line.slice(start.length)),
      ),
    ) ||
    UNKNOWN_OPTION.test(firstLines[0] ?? '') ||
    (content.length <= MAX_COMPLAINT &&
      !PRINTS.test(program) &&
      ((OTHER.test(firstLines[0] ?? '') && !wentOn({ firstLines, lastLines })) ||
        SHELL_COMPLAINT.test(lastLines[0] ?? '') ||
        REASON.test(lastLines[0] ?? '')))
  );
}

/** How programs begin their complaints that do not begin them with their name. */
const STARTS: { [program: string]: readonly string[] } = {
  git: ['git: ', 'fatal: ', 'error: '],
  jq: ['jq: ', 'parse error: '],
  gunzip: ['gzip: '],
  zcat: ['gzip: '],
  dpkg: ['dpkg: ', 'dpkg-query: '],
};

/** If these ran at all, what the shell complained about before was tolerated. */
const PRINTS = /^(?:echo|printf|true)$/;

/** The command only prints a text that the agent wrote. */
export const printsOwnText = ({ facts, firstLines }: OutcomeEvidence): boolean =>
  facts.shell && PRINTS.test(facts.tool) && !/^ssh: /.test(firstLines[0] ?? '');

/** The complaint of another program of the same command line. */
const OTHER =
  /^[a-z][\w-]{1,20}: (?:cannot|can't|could not|unable to|unknown|invalid|failed|no such)\b/;

/** How the complaint of a program about a file ends. */
const REASON =
  /^[^\s:][^:]{0,200}: (?:[^:]{0,200}: )?(?:No such file or directory|Permission denied|Is a directory|Not a directory|No module named \S{1,80}|Connection refused)(?: \(os error \d+\))?\.?$|^[\w-]+ ?: .{0,200}because it does not exist\.?$/;

const UNKNOWN_OPTION =
  /^(?:unknown|unrecogni[sz]ed|invalid|illegal) (?:\w+ )?(?:flag|option|field)s?\b/i;

/** A stack of calls at the end of the output, below an error. */
export const endsInStack = ({ lastLines }: OutcomeEvidence): boolean =>
  lastLines.slice(0, 2).some((line) => FRAMES.test(line));

/** The last line says that the work was done, whatever was reported before. */
const WELL =
  /^\W*(?:\w+ ){0,3}(?:done|finished|completed?|succeeded|success(?:ful|fully)?|ready|recovered)\b/i;
const NOT_WELL = /\b(?:not|never|in|log|errors?|fail\w*)\b/i;

/** A command that reported an error and went on: the end says that its work was done. */
export function wentOn({
  firstLines,
  lastLines,
}: Pick<OutcomeEvidence, 'firstLines' | 'lastLines'>): boolean {
  const last = lastLines[0] ?? '';
  return firstLines.length > 1 && WELL.test(last) && !NOT_WELL.test(last);
}
