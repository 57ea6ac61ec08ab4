/** A summary stands at one end of an output. */
const WINDOW = 2048;

/**
 * How many failures or errors a result reports: `3 failed`, `failures=2`, `Found 5 errors`; null when it says nothing of them.
 * Looks only at the head and the tail.
 */
export function failuresIn(text: string): number | null {
  if (text.length <= 2 * WINDOW) return mentions(text) ? counted(text) : null;
  const tail = text.slice(-WINDOW);
  const last = mentions(tail) ? counted(tail) : null;
  if (last !== null) return last;
  const head = text.slice(0, WINDOW);
  return mentions(head) ? counted(head) : null;
}

const mentions = (text: string): boolean => text.includes('fail') || text.includes('rror') || text.includes('Fail') || text.includes('FAIL') || text.includes('RROR');

/** What one line says, summed over its failures and its errors. */
interface Count {
  line: number;
  failed: number;
  errors: number;
  end: number;
}

const WORD = /fail|error/gi;

/** Counts are read from the words outwards; the last line that gives one wins, since totals come last. */
function counted(text: string): number | null {
  let best: Count | null = null;
  let cargo = -1;
  let marks = 0;
  WORD.lastIndex = 0;
  for (let match = WORD.exec(text); match !== null; match = WORD.exec(text)) {
    const at = match.index;
    if (isMark(text, at)) marks++;
    const amount = amountAt(text, at);
    if (amount < 0) continue;
    const line = text.lastIndexOf('\n', at) + 1;
    const opening = text.slice(line, Math.min(at, line + 48));
    if (/Test Files|Test Suites|Suites:|Snapshots/.test(opening)) continue;
    const isFailure = (text.charCodeAt(at) | 32) === 102;
    if (isFailure && /test result:/.test(opening)) cargo = Math.max(cargo, 0) + amount;
    // A new sentence on the same line begins again.
    if (best === null || best.line !== line || text.slice(best.end, at).includes('. ')) best = { line, failed: 0, errors: 0, end: at };
    if (isFailure) best.failed = Math.max(best.failed, amount);
    else best.errors = Math.max(best.errors, amount);
    best.end = at;
  }
  if (cargo >= 0) return cargo;
  if (best !== null) return best.failed + best.errors;
  return marks > 0 ? marks : null;
}

/** Lines that stand for one failure each: `--- FAIL: TestX` of Go, `error TS2322:` of TypeScript. */
const isMark = (text: string, at: number): boolean => text.startsWith('--- FAIL', at - 4) || /^error TS\d/.test(text.slice(at, at + 9));

/** The number that belongs to the word at `at`, or -1. */
function amountAt(text: string, at: number): number {
  const after = /^(?:fail(?:ed|ures?|ing|s)?|errors?)(?:[ \t]*[=:][ \t]*|[ \t]+(?=\d+[ \t]*$))(\d{1,7})(?![\d.:%]|[ \t]*(?:ms|s)\b)/im.exec(text.slice(at, at + 32));
  if (after) return Number(after[1]);
  const word = /^(?:fail(?:ed|ures?|ing|s)?|errors?)(?![\w-])/i.exec(text.slice(at, at + 9));
  if (!word) return -1;
  const before =
    /(?:^|[^\w.:#/-]|\u001b\[[\d;]*m)(\d{1,7}|no) (?:(?:unit |integration |failing |type |lint |previous |other |more |syntax |compilation |build |fatal )?(?:tests?|checks?|specs?|examples?|files?|cases?|assertions?|scenarios?|jobs?)? ?(?:are |is |have |has |still |now )*|of \d+ (?:tests? )?)(?:type |lint |previous |syntax |compilation |build |fatal )?$/i.exec(
      text.slice(Math.max(0, at - 48), at),
    );
  if (!before || /(?:fixed|fixes|fix|resolved|corrected|repaired|solved|after|was|from|step|exit|code|line)[ \t]+(?:the |all |those )?$/i.test(text.slice(Math.max(0, at - 60), at - before[0].length + 1))) return -1;
  return before[1]!.toLowerCase() === 'no' ? 0 : Number(before[1]);
}
