import type { CallFinished } from '../event.ts';
import { failuresIn } from '../fingerprint/failures.ts';
import { contentOf, withoutCosts, withoutLabel } from '../fingerprint/result-text.ts';
import { textOf } from '../json.ts';
import type { CallPrint } from '../prints.ts';
import { unwrapped } from './envelope.ts';
import type { OutcomeEvidence, ResultFacts, ResultOutcome } from './outcome.ts';
import {
  addFields,
  answerIn,
  exitField,
  hasError,
  hasNoError,
  type StatusRecord,
} from './record.ts';
import { outcomeRules } from './rules.ts';
import { OF_A_FILE } from './words.ts';

/**
 * Only the beginning and the end of a text are examined, because that is where errors are
 * announced.
 */
const HEAD = 400;
const TAIL = 400;
/** Lines are looked at in these many characters at both ends, and each line up to a length. */
const ENDS = 6000;
const MAX_LINES = 24;
const MAX_LINE = 600;

/** Reads whether a finished call failed. Its cost does not grow with the length of the result. */
export function readOutcome(facts: ResultFacts): ResultOutcome {
  const evidence = evidenceIn(facts);
  const rule = outcomeRules.find(({ when }) => when(evidence));
  const { exitCode, value, content } = evidence;
  return {
    failed: rule?.gives ?? 'unknown',
    why: rule?.why ?? null,
    rule: rule?.name ?? '',
    stated: rule !== undefined && rule.inferred !== true,
    exitCode,
    value,
    content,
  };
}

/** The facts about a finished call, as an event and the print of its call hold them. */
export const factsOf = (event: CallFinished, call: CallPrint): ResultFacts => ({
  result: event.result,
  error: event.error,
  exitCode: event.exitCode,
  refusedBy: event.refusedBy,
  tool: call.tool,
  verb: call.verb,
  shell: call.shell,
  muted: call.muted,
  file: call.verb === 'read' && call.target?.startsWith('file:') === true,
});

function evidenceIn(facts: ResultFacts): OutcomeEvidence {
  const record: StatusRecord = {};
  const { text, value } = contentOf(
    withoutLabel(facts.result === undefined ? '' : facts.result),
    (each, names) => addFields(record, each, names),
  );
  const { content, exitCode, isHostWorded, isTagged } = unwrapped(
    withoutCosts(resultText(facts.error, text)),
  );
  const own = facts.exitCode ?? exitField(record);
  // `"error": null` would read as the beginning of an error.
  const said = hasNoError(record) ? answerIn(record) : content;
  return {
    facts,
    flag: flagIn(facts.error, record),
    exitCode: own ?? exitCode,
    exitFrom:
      own !== undefined
        ? 'host'
        : exitCode === undefined
          ? null
          : isHostWorded
            ? 'envelope'
            : 'text',
    isTagged,
    record: isStatus(record, facts.file) ? record : null,
    value: typeof value === 'string' ? content : value,
    content,
    head: said.slice(0, HEAD),
    tail: said.length > HEAD ? said.slice(-TAIL) : '',
    firstLines: shownOf(linesOf(content.slice(0, ENDS)), MAX_LINES),
    blockEnd: blockEndOf(content.slice(0, ENDS)),
    lastLines: shownOf(linesOf(content.slice(-ENDS)).reverse(), MAX_LINES),
    failures: failuresIn(content),
  };
}

/** An object that a file holds is the file's; the tool's own has few fields, one with an error. */
function isStatus(record: StatusRecord, file: boolean): boolean {
  const fields = Object.keys(record).length;
  return file ? fields > 0 && fields <= MAX_OWN_FIELDS && isOfFileTool(record) : fields > 0;
}

/** The error is one of opening or reading a file, or the object names the tool. */
const isOfFileTool = (record: StatusRecord): boolean =>
  hasError(record) && (record.tool !== undefined || OF_A_FILE.test(textOf(record.error)));

const MAX_OWN_FIELDS = 5;

const ESCAPES = /\u001b\[[\d;?]*[A-Za-z]/g;

/** The last lines before the first empty one. */
function blockEndOf(text: string): string[] {
  const block = text.trimStart();
  const end = block.indexOf('\n\n');
  return end < 0 ? [] : shownOf(linesOf(block.slice(0, end)).reverse(), BLOCK_END);
}

const BLOCK_END = 4;

/** The lines of a text without colours. */
const linesOf = (text: string): string[] =>
  (text.includes('\u001b') ? text.replace(ESCAPES, '') : text).split('\n');

/** The first so many of these lines that are not empty, as a terminal shows them. */
function shownOf(lines: readonly string[], max: number): string[] {
  const shown: string[] = [];
  for (const line of lines) {
    if (shown.length === max) break;
    const written = line.trimEnd().slice(0, MAX_LINE);
    const last = written.slice(written.lastIndexOf('\r') + 1);
    if (last.trim() !== '') shown.push(last);
  }
  return shown;
}

/** What the host says: true for failed, false for succeeded, undefined if it does not say. */
function flagIn(error: unknown, { iserror }: StatusRecord): boolean | undefined {
  if (error || iserror === true) return true;
  return error === false || iserror === false ? false : undefined;
}

/** The text of a result as the model reads it, without its envelope. */
export const contentText = ({ result, error }: Pick<ResultFacts, 'result' | 'error'>): string =>
  unwrapped(resultText(error, contentOf(result ?? '').text)).content;

/** The error message and the result, as far as there are any, as the model reads them. */
function resultText(error: unknown, result: string): string {
  const said =
    typeof error === 'object' && error !== null
      ? ((error as { message?: unknown }).message ?? error)
      : error;
  const message =
    typeof said === 'string' || typeof said === 'object' ? contentOf(said ?? '').text : '';
  return message && result && message !== result ? `${message}\n${result}` : message || result;
}
