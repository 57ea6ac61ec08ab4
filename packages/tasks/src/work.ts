import { maskTimes, readOutput, tag } from '@unrut/engine/fingerprint';
import { hash32 } from '@unrut/engine/hash';
import { push } from '@unrut/engine/recent';
import { sentence } from '@unrut/engine/recoveries/wording';
import { redact } from '@unrut/engine/redact/redact';
import { counted } from '@unrut/ledger/report/figures';
import type { FailedCheck } from './checks.ts';
import type { ChangedLine, FolderLook } from './workspace.ts';

/** Memory of earlier work, used to recognise what returns. Plain JSON, bounded. */
export interface WorkMemory {
  /** Hashes of the folder's states after earlier iterations. */
  states: number[];
  /** Hashes of lines that were changed before. */
  lines: number[];
  /** Hashes of the contents of new files, with and without their names. */
  made: number[];
  /** The best check result so far. */
  best?: Pick<FailedCheck, 'left' | 'failures' | 'passed' | 'names'>;
  /** Hashes of earlier failures. */
  failed: number[];
  /** The lowest number of failures that the agent itself reported since the last progress. */
  fewestSaid?: number;
}

export const startWork = (): WorkMemory => ({ states: [], lines: [], made: [], failed: [] });

/** The observations on one iteration's work. */
export interface WorkSeen {
  before: FolderLook | undefined;
  after: FolderLook | undefined;
  changes: readonly ChangedLine[];
  failedCheck: FailedCheck | undefined;
  /** The task as its author wrote it. A file that it names counts as work whatever its name. */
  task: string;
}

/** The work of one iteration, whatever the agent said about it. */
export interface Work {
  /** A file got new content, or a check improved. Undefined if neither can be known. */
  moved?: boolean;
  /** One line for the user, or empty. Redacted. */
  text: string;
}

const MAX_STATES = 64;
const MAX_LINES = 768;
const MAX_LINES_EACH = 128;
const MAX_MADE = 256;
const MAX_FAILED = 32;
const MAX_NAMED = 5;

/** Notes on the side: their content counts only as words. */
const NOTE =
  /^(?:progress|notes?|journal|scratch(?:pad)?|work-?log|log|activity|status|memory|diary)\.(?:md|txt|jsonl?)$|\.log$/i;
/** Written by programs, including Unrut. */
const GENERATED =
  /(?:^|\/)(?:node_modules|__pycache__|\.pytest_cache|\.mypy_cache|\.ruff_cache|\.cache|\.turbo|\.next|coverage|\.nyc_output)\/|\.(?:pyc|tsbuildinfo)$|(?:^|\/)(?:\.coverage|\.eslintcache|ledger\.db(?:-\w+)?)$/;

const nameOf = (file: string): string => file.slice(file.lastIndexOf('/') + 1);

/** Determines the work of an iteration, and remembers it. */
export function workOf(
  memory: WorkMemory,
  { before, after, changes, failedCheck, task }: WorkSeen,
): Work {
  const counts = changes.filter(
    ({ file }) =>
      !GENERATED.test(file) && (task.includes(nameOf(file)) || !NOTE.test(nameOf(file))),
  );
  const isBetter = failedCheck !== undefined && better(memory, failedCheck);
  const isOther =
    failedCheck !== undefined && isNew(memory.failed, hash32(failedCheck.signature), MAX_FAILED);
  const text = wordsFor(changes, failedCheck);
  if (!before || !after)
    return { ...(isBetter || (isOther && memory.failed.length > 1) ? { moved: true } : {}), text };
  if (memory.states.length === 0) isNew(memory.states, stateOf(before), MAX_STATES);
  const isBack = !isNew(memory.states, stateOf(after), MAX_STATES);
  const copies = copiesIn(memory.made, counts);
  const lines = [
    ...new Set(
      counts
        .filter(({ file }) => !copies.has(file))
        .map(({ file, line }) => hash32(`${file}\n${contentOf(file, line)}`)),
    ),
  ];
  const brings =
    lines.some((line) => !memory.lines.includes(line)) ||
    (before.tree === after.tree && before.committed !== after.committed);
  for (const line of lines.slice(0, MAX_LINES_EACH)) isNew(memory.lines, line, MAX_LINES);
  return { moved: isBetter || (!isBack && brings), text };
}

/**
 * Files that are no progress as a whole: copies under another name of a file that this run made, or
 * files that it made and deleted again. The same name in another folder is not a copy, because each
 * package has its own.
 */
function copiesIn(known: number[], changes: readonly ChangedLine[]): Set<string> {
  const copies = new Set<string>();
  for (const [file, parts] of Map.groupBy(changes, (change) => change.file)) {
    const { whole } = parts.find((change) => change.whole) ?? {};
    if (!whole) continue;
    const content = parts
      .flatMap((change) => (change.whole ? [] : [maskTimes(change.line)]))
      .join('\n');
    const named = hash32(`${nameOf(file)}\n${content}`);
    const isKnown = known.includes(hash32(content));
    if (isKnown && (whole === 'deleted' || !known.includes(named))) copies.add(file);
    else if (whole === 'new')
      for (const item of [hash32(content), named]) isNew(known, item, MAX_MADE);
  }
  return copies;
}

const CODE = /\.(?:[cm]?[jt]sx?|py|rb|go|rs|java|kt|cs?|cpp|h|php|swift|sh|sql|css|lua)$/;
const COMMENT = /^\s*(?:\/\/|\/\*|\*|#(?!include|define|if|el|endif|!)|--)/;

/** A line without what changes by itself: times, ids, and every number in a comment. */
const contentOf = (file: string, line: string): string =>
  CODE.test(file) && COMMENT.test(line) ? maskTimes(line).replace(/\d+/g, '#') : maskTimes(line);

const stateOf = (look: FolderLook): number => hash32(JSON.stringify(look));

function isNew(known: number[], item: number, most: number): boolean {
  const at = known.indexOf(item);
  if (at >= 0) known.splice(at, 1);
  push(known, item, most);
  return at < 0;
}

/** Whether a check has reached a new best. The first result is the baseline. */
function better(memory: WorkMemory, { left, failures, passed, names }: FailedCheck): boolean {
  const { best } = memory;
  const now = { left, failures, passed, names };
  const isBetter =
    best === undefined || left < best.left || (left === best.left && isFewer(best, now));
  if (isBetter) memory.best = now;
  return isBetter && best !== undefined;
}

type Quantities = NonNullable<WorkMemory['best']>;

function isFewer(best: Quantities, now: Quantities): boolean {
  if (best.failures !== null && now.failures !== null && best.failures !== now.failures)
    return now.failures < best.failures;
  if (best.passed !== null && now.passed !== null && best.passed !== now.passed)
    return now.passed > best.passed;
  return (
    now.names.length > 0 &&
    now.names.length < best.names.length &&
    now.names.every((name) => best.names.includes(name))
  );
}

function wordsFor(changes: readonly ChangedLine[], check: FailedCheck | undefined): string {
  const files = [...new Set(changes.map(({ file }) => file))].filter(
    (file) => !GENERATED.test(file),
  );
  const more = files.length > MAX_NAMED ? ` and ${files.length - MAX_NAMED} more` : '';
  const left = check?.failures ? counted(check.failures, 'failure') : undefined;
  return redact(
    [
      files.length > 0 ? `changed ${files.slice(0, MAX_NAMED).join(', ')}${more}` : '',
      left ? `${left} left` : '',
    ]
      .filter(Boolean)
      .join('; '),
  );
}

/**
 * The work of an attempt at a task. If the files show no progress and no check counts failures, a
 * new minimum of failures in the agent's own words is progress.
 */
export function withOwnCount(
  memory: WorkMemory,
  work: Work,
  output: string,
  failedCheck: FailedCheck | undefined,
): Work {
  const said = readOutput(output).failures;
  const { fewestSaid } = memory;
  const isFewer = said !== null && fewestSaid !== undefined && said < fewestSaid;
  if (work.moved) delete memory.fewestSaid;
  if (said !== null) memory.fewestSaid = Math.min(said, memory.fewestSaid ?? said);
  if (work.moved !== false || !isFewer || typeof failedCheck?.failures === 'number') return work;
  return { moved: true, text: `reports ${counted(said, 'failure')}, ${fewestSaid} before` };
}

/** The same as items of work; only items that no earlier attempt had count. */
export const asWork = ({ moved, text }: Work, attempt: string): string[] =>
  moved ? [sentence(`${text || 'something changed'} (${tag(attempt)})`)] : [];
