import type { Problem } from '@unrut/ledger/report/scan-report';
import type { ImportedFile } from './import-file.ts';

/** The outcome of the records of a file. */
export interface FileOutcome {
  runs: number;
  /** Events that the guard could not take. */
  faults: number;
  /** Times that a run continued after the guard had dropped it. */
  lost: number;
  /** Number of calls, and of those without a readable result. */
  calls: number;
  unread: number;
  /** The format was requested, not detected. */
  isForced: boolean;
}

const sum = (counts: Iterable<number>): number =>
  [...counts].reduce((total, each) => total + each, 0);
const some = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;

/** Number of a file's records that could not be used. */
export const skippedIn = ({ broken, unknown }: ImportedFile): number =>
  sum(broken.values()) + sum(unknown.values());

/** Min number of calls: with fewer, most may still be open. */
const MIN_CALLS = 10;

/** Min share of understood records for a format to count as the file's. */
const ENOUGH = 0.9;

/** Why a file does not match its detected format, unless the format was requested. */
function whyHalf(
  { format, understood, unknown, callsInText }: ImportedFile,
  { isForced }: FileOutcome,
): string | undefined {
  if (format === undefined || isForced) return undefined;
  if (understood < ENOUGH)
    return `only ${Math.floor(understood * 100)}% of it is understood as ${format} (unknown: ${[...unknown.keys()].slice(0, 5).join(', ')})`;
  return callsInText === undefined
    ? undefined
    : `its texts show calls (${callsInText}), but as ${format} it holds none`;
}

/** Whether nothing of a file is used: unreadable, empty, or not matching its format. */
export function isUnread(imported: ImportedFile, outcome: FileOutcome): boolean {
  const { format, records, unknown } = imported;
  if (records === 0 || format === undefined || whyHalf(imported, outcome) !== undefined)
    return true;
  return (
    outcome.runs === 0 &&
    (outcome.isForced || sum(unknown.values()) * 2 > records || imported.failure !== undefined)
  );
}

const UNTRIED = 'Written by';

/** Whether a problem concerns a version, so that it is equal for all files of that version. */
export const isAboutVersion = ({ message }: Problem): boolean => message.startsWith(`${UNTRIED} `);

/** A file's problems, one line each. */
export function fileProblems(
  file: string,
  imported: ImportedFile,
  outcome: FileOutcome,
): Problem[] {
  const { format, records, broken, unknown, failure, looksLike, untried } = imported;
  const problems: Problem[] = [];
  const half = whyHalf(imported, outcome);
  const problem = (fatal: boolean, message: string): void =>
    void problems.push({ file, message, fatal });
  const [bad, cut] = [broken.get('not JSON') ?? 0, broken.get('cut off') ?? 0];
  if (failure)
    problem(true, records > 0 ? `Only partly read: ${failure}.` : `Cannot be read: ${failure}.`);
  else if (records === 0) {
    if (broken.size === 0) problem(true, 'Empty: there is nothing in it.');
    if (bad > 0)
      problem(
        true,
        'Not JSON, and no text format that is known. Expected a recorded run as JSON or JSON lines.',
      );
    else if (cut > 0) problem(true, 'Truncated: the JSON has no end.');
  } else if (format === undefined)
    problem(
      true,
      `Unknown format: it starts with ${looksLike}. List formats with unrut scan --formats, force one with --format.`,
    );
  else if (half !== undefined)
    problem(true, `Not read: ${half}. Force it with --format ${format}.`);
  else if (outcome.runs === 0)
    problem(
      isUnread(imported, outcome),
      `No steps found ${outcome.isForced ? 'when read as' : 'although it looks like'} ${format}.`,
    );
  if (records > 0 && bad > 0) problem(true, `${some(bad, 'line')} skipped: not JSON.`);
  for (const why of ['longer than 64 MB', 'longer than 256 MB'] as const)
    if (broken.has(why)) problem(true, `${some(broken.get(why)!, 'record')} skipped: ${why}.`);
  if (records > 0 && cut > 0)
    problem(
      false,
      'The last record is truncated and was skipped. Is the file still being written?',
    );
  if (outcome.faults > 0)
    problem(true, `${some(outcome.faults, 'event')} skipped: a field is missing or invalid.`);
  if (outcome.lost > 0)
    problem(
      true,
      'Too many interleaved runs to track at once, so loops may be missing. Use one file per run.',
    );
  if (untried && format !== undefined)
    problem(
      false,
      `${UNTRIED} ${format} ${untried.version}. The latest version that was tried is ${untried.tried}, so what is new may be missing.`,
    );
  if (outcome.calls >= MIN_CALLS && outcome.unread * 2 > outcome.calls && half === undefined)
    problem(
      false,
      `Results of ${outcome.unread} of ${outcome.calls} calls could not be read: loops that show in results are missed.`,
    );
  if (unknown.size > 0 && format !== undefined && half === undefined)
    problem(
      false,
      `${some(sum(unknown.values()), 'record')} of a kind unknown to ${format}: ${[...unknown.keys()].slice(0, 5).join(', ')}.`,
    );
  return problems;
}
