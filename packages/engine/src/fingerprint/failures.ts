/** A summary is at the beginning or the end of an output. */
const WINDOW = 2048;

/**
 * How many failures or errors a result reports: `3 failed`, `failures=2`, `Found 5 errors`; null if
 * it does not mention any. Examines only the head and the tail.
 */
export function failuresIn(text: string): number | null {
  if (text.length <= 2 * WINDOW) return mentions(text) ? counted(text) : null;
  const tail = text.slice(-WINDOW);
  const last = mentions(tail) ? counted(tail) : null;
  if (last !== null) return last;
  const head = text.slice(0, WINDOW);
  return mentions(head) ? counted(head) : null;
}

const mentions = (text: string): boolean =>
  text.includes('fail') ||
  text.includes('rror') ||
  text.includes('Fail') ||
  text.includes('FAIL') ||
  text.includes('RROR');

/** The failures and errors that one line counts. */
interface Count {
  line: number;
  failed: number;
  errors: number;
  end: number;
}

const WORD = /fail|error/gi;

/**
 * Finds each word and looks for a number around it. The last line with a number wins, because
 * totals come last.
 */
function counted(text: string): number | null {
  let best: Count | null = null;
  let cargo = -1;
  let marks = 0;
  WORD.lastIndex = 0;
  while (WORD.test(text)) {
    const at = WORD.lastIndex - ((text.charCodeAt(WORD.lastIndex - 1) | 32) === 108 ? 4 : 5);
    if (isMark(text, at)) marks++;
    const amount = amountAt(text, at);
    if (amount < 0) continue;
    const line = text.lastIndexOf('\n', at) + 1;
    const opening = text.slice(line, Math.min(at, line + 48));
    if (/Test Files|Test Suites|Suites:|Snapshots/.test(opening)) continue;
    const isFailure = (text.charCodeAt(at) | 32) === 102;
    if (isFailure && /test result:/.test(opening)) cargo = Math.max(cargo, 0) + amount;
    // A new sentence on the same line starts a new count.
    if (best === null || best.line !== line || text.slice(best.end, at).includes('. '))
      best = { line, failed: 0, errors: 0, end: at };
    if (isFailure) best.failed = Math.max(best.failed, amount);
    else best.errors = Math.max(best.errors, amount);
    best.end = at;
  }
  if (cargo >= 0) return cargo;
  if (best !== null) return best.failed + best.errors;
  return marks > 0 ? marks : null;
}

/**
 * Lines that report one failure each: Go's `--- FAIL: TestX`, `error TS2322:` and `error CS0103:`,
 * and what compilers say of a line, `main.c:3:5: error: …`.
 */
const isMark = (text: string, at: number): boolean =>
  text.startsWith('--- FAIL', at - 4) ||
  (text.startsWith('error', at) &&
    (CODE.test(text.slice(at + 5, at + 12)) ||
      (text[at + 5] === ':' && PLACE.test(text.slice(Math.max(0, at - 32), at)))));
const CODE = /^ [A-Z]{1,4}\d/;
const PLACE = /\.\w{1,5}:\d+(?::\d+)?:[ \t]+(?:fatal )?$/;

const WHAT = '(?:fail(?:ed|ures?|ing|s)?|errors?)';
/**
 * The words between a number and what it counts: `tests `, `of 12 tests `, `previous `, `test is
 * still `.
 */
const BETWEEN =
  '(?:of \\d+ )?(?:(?:unit|integration|type|lint|previous|other|more|syntax|compilation|build|fatal) )?(?:(?:tests?|checks?|specs?|examples?|files?|cases?|assertions?|scenarios?|jobs?) )?(?:(?:are|is|have|has|still|now) ){0,2}';
/**
 * In `Error: 1 failed` the number belongs to the second word; in `failures: 1 errors: 2` each word
 * has its own. The numbers in `AssertionError: 3 != 4` are not counts, and that in `make: ***
 * [test] Error 1` is an exit code.
 */
const AFTER = new RegExp(
  String.raw`^(?!error[ \t]*(?::|\d))${WHAT}(?:[ \t]*[=:][ \t]*|[ \t]+(?=\d+[ \t]*$))(\d{1,7})(?!\d|\.\d|[:%]|[ \t]*(?:ms|s)\b| ${BETWEEN}${WHAT}(?![\w-]|[ \t]*[=:]))`,
  'im',
);
const WHOLE = new RegExp(`^${WHAT}(?![\\w-])`, 'i');
const BEFORE = new RegExp(
  String.raw`(?:^|[^\w.:#/-]|\u001b\[[\d;]*m)(\d{1,7}|no) ${BETWEEN}$`,
  'i',
);
/** The number counts earlier failures, or is not a count. */
const PAST =
  /(?:fixed|fixes|fix|resolved|corrected|repaired|solved|after|was|from|step|exit|code|line)[ \t]+(?:the |all |those )?$/i;

/** The number that belongs to the word at `at`, or -1. */
function amountAt(text: string, at: number): number {
  if (hasDigit(text, at + 4, at + 24)) {
    const after = AFTER.exec(text.slice(at, at + 96));
    if (after) return Number(after[1]);
  }
  if (text.charCodeAt(at - 1) !== 32) return -1;
  if (!hasDigit(text, at - 40, at) && !isNone(text, at)) return -1;
  const lead = text.slice(Math.max(0, at - 48), at);
  const before = WHOLE.test(text.slice(at, at + 9)) ? BEFORE.exec(lead) : null;
  if (before === null || PAST.test(lead.slice(0, before.index + 1))) return -1;
  return before[1]!.toLowerCase() === 'no' ? 0 : Number(before[1]);
}

/** Whether `no `, with at most one word in between, precedes `at`. */
function isNone(text: string, at: number): boolean {
  const last = text.charCodeAt(at - 2) | 32;
  return (
    (last === 111 || last === 116 || last === 115 || last === 101) &&
    /\bno (?:\w+ )?$/i.test(text.slice(Math.max(0, at - 12), at))
  );
}

/** A cheap test: most mentions have no number near them. */
function hasDigit(text: string, from: number, to: number): boolean {
  for (let i = Math.max(0, from); i < to; i++) {
    const code = text.charCodeAt(i);
    if (code >= 48 && code <= 57) return true;
  }
  return false;
}
