import { homedir } from 'node:os';
import { resolve } from 'node:path';
import type { Rung } from '@unrut/engine/event';
import { present } from '@unrut/engine/json';
import { printable } from '@unrut/engine/text/printable';
import { counted } from '@unrut/ledger/report/figures';
import { scanPage } from '@unrut/ledger/report/html/scan-page';
import {
  compareText,
  scanCsv,
  scanJunit,
  scanMarkdown,
  scanSarif,
} from '@unrut/ledger/report/outputs';
import type { ScanReport } from '@unrut/ledger/report/scan-report';
import { scanText } from '@unrut/ledger/report/scan-text';
import { suggestionText } from '@unrut/ledger/report/suggestion-text';
import { importers } from '@unrut/logs/importers';
import { compareScans } from '@unrut/logs/scan/compare';
import { findFiles } from '@unrut/logs/scan/find-files';
import { gatesOf, readBaseline, type ScanLimits } from '@unrut/logs/scan/gates';
import { importerNamed } from '@unrut/logs/scan/import-file';
import { pathShown } from '@unrut/logs/scan/path-shown';
import { type Scan, scan as scanPaths } from '@unrut/logs/scan/scan';
import type { ScanOptions } from '@unrut/logs/scan/scan-file';
import { usualPlaces } from '@unrut/logs/scan/usual-places';
import { withPatch } from '@unrut/logs/suggest/diff';
import {
  detectorOption,
  flagOption,
  optionRows,
  textOption,
  timeArgument,
  wholeNumber,
} from './arguments.ts';
import { defineCommand } from './command.ts';
import { complain, EXIT, usageError } from './exit.ts';
import { checkPageFile, writePageFile } from './page-file.ts';
import { printJson, printLines } from './printed.ts';
import { createProgress } from './progress.ts';
import { version } from './version.ts';
import { standardOutput } from './width.ts';

const CHOICES = {
  top: textOption('N', 'show the N worst loops (default 10)', '10'),
  since: textOption('WHEN', 'only runs active after WHEN: 30m, 24h, 7d, 2w, or a date'),
  detector: {
    type: 'string',
    multiple: true,
    what: 'NAME',
    help: 'only loops found by this detector (repeatable)',
  },
  'min-strength': textOption('S', 'only loops with at least this confidence, 0 to 1'),
  suggest: flagOption(
    'also say what to change so that loops of several runs do not recur; changes nothing itself',
  ),
  format: textOption('NAME', 'read every file as this format'),
  formats: flagOption('list the formats and exit'),
  compare: flagOption(
    'compare two paths: what changed from the first to the second, with intervals',
  ),
} as const;

const WRITTEN = {
  html: textOption(
    'FILE',
    'also write an HTML report with timelines and repeated steps side by side',
  ),
  md: textOption('FILE', 'also write a summary in Markdown, as for a job or a pull request'),
  junit: textOption('FILE', 'also write JUnit XML: a test case for each run'),
  sarif: textOption('FILE', 'also write SARIF 2.1.0: a result for each loop'),
  csv: textOption('FILE', 'also write a line for each loop'),
  json: flagOption('print one JSON object instead of text'),
  jsonl: flagOption('print one JSON object per run as it is read, then the totals'),
} as const;

const LIMITS = {
  'fail-on': textOption(
    'RUNG',
    'exit with 1 only if a loop reaches this rung: note, hint, block, escalate or stop',
  ),
  'max-loops': textOption('N', 'exit with 1 only if there are more than N (of that rung)'),
  'max-wasted': textOption('P', 'exit with 1 only if more than this share of steps is wasted: 5%'),
  baseline: textOption('FILE', 'leave out loops that an earlier --json or --jsonl has'),
  strict: flagOption('exit with 2 if anything was not read'),
  'exit-zero': flagOption('exit with 0 even if there are loops'),
} as const;

const MORE = {
  otherwise: textOption('PATH', "scan PATH if the agents' folders are empty"),
  exclude: {
    type: 'string',
    multiple: true,
    what: 'GLOB',
    help: 'leave out files and folders that match, by path or name (repeatable)',
  },
  jobs: textOption('N', 'threads (default: one per core)'),
} as const;

const OPTIONS = { ...CHOICES, ...WRITTEN, ...LIMITS, ...MORE };

const HELP = `unrut scan [options] [path…]

Find loops in recorded agent runs: where they are, what they cost, and what Unrut would have done.
A path is a file, a folder, a glob, or - for standard input. The format is detected from the content; .gz, .zst and .zip are opened.
Without a path, scan the session folders of the agents on this machine.

Options
${optionRows(CHOICES, 19)}

Outputs
${optionRows(WRITTEN, 19)}
  In place of one FILE, - prints to standard output instead of text.

In a pipeline
${optionRows(LIMITS, 19)}
  All given limits must hold.

More
${optionRows(MORE, 19)}
  --help

Exit codes: 0 no loops (what was not read is listed), 1 loops found, 2 no loops and nothing could be read, or with --strict something
was not, or the baseline could not be read, 64 usage error.`;

/** The entry point of a scan's threads. */
export interface ScanSetting {
  worker: URL;
}

const ABOUT = { name: 'scan', help: HELP, options: OPTIONS } as const;

/** `unrut scan`. */
export const scanCommand = defineCommand(
  ABOUT,
  async ({ values, operands }, { worker }: ScanSetting) => {
    if (values.formats) {
      console.log(importers.map(({ name, reads }) => `${name.padEnd(20)} ${reads}`).join('\n'));
      return EXIT.ok;
    }
    if (values.json && values.jsonl) throw usageError('--json and --jsonl cannot be combined.');
    const top = wholeNumber('top', values.top, 0);
    const options: ScanOptions = {
      ...(values.format === undefined ? {} : { format: importerNamed(values.format).name }),
      ...(values.since === undefined
        ? {}
        : { since: timeArgument('since', values.since, Date.now()) }),
      ...(values.detector === undefined ? {} : { detectors: values.detector.map(detectorOption) }),
      ...(values['min-strength'] === undefined
        ? {}
        : { minStrength: strength(values['min-strength']) }),
      ...(values.suggest ? { suggest: true } : {}),
    };
    const limits: ScanLimits = {
      ...(values['fail-on'] === undefined ? {} : { failOn: rungOption(values['fail-on']) }),
      ...(values['max-loops'] === undefined
        ? {}
        : { maxLoops: wholeNumber('max-loops', values['max-loops'], 0) }),
      ...(values['max-wasted'] === undefined
        ? {}
        : { maxWasted: shareOption('max-wasted', values['max-wasted']) }),
    };
    const hasLimits = Object.keys(limits).length > 0;
    const outputs = Object.entries(OUTPUTS).flatMap(([name, { title, write }]) => {
      const file = values[name as keyof typeof OUTPUTS];
      return file === undefined ? [] : [{ option: `--${name}`, title, file, write }];
    });
    const printed = outputs.filter(({ file }) => file === '-');
    checkOutputs(outputs, [
      ...(values.json ? ['--json'] : []),
      ...(values.jsonl ? ['--jsonl'] : []),
    ]);
    const known = values.baseline === undefined ? undefined : readBaseline(values.baseline);
    const isText = !values.json && !values.jsonl && printed.length === 0;
    const say = isText ? console.log : console.error;
    const progress = createProgress(process.stderr);
    const shared = {
      worker,
      exclude: values.exclude ?? [],
      ...options,
      ...(values.jobs === undefined ? {} : { jobs: wholeNumber('jobs', values.jobs, 1) }),
      ...present({ known }),
    };
    if (values.compare) checkCompared(values);
    if (values.compare)
      return compare(operands, {
        shared,
        isJson: values.json,
        markdown: values.md,
        strict: values.strict,
        isZero: values['exit-zero'],
      });
    const paths = operands.length > 0 ? operands : placesWithRuns(values.otherwise, say);
    if (paths.length === 0 && isText && outputs.length === 0) return EXIT.ok;
    const isStreamed = values.jsonl && outputs.length === 0 && !hasLimits;
    const report = await scanPaths({
      paths,
      ...shared,
      onProgress: progress.show,
      // Files that are written at the end need all runs.
      ...(isStreamed ? { onTrajectory: (trajectory) => printJson<'scan-run'>(trajectory) } : {}),
    });
    progress.clear();
    if (hasLimits) report.gates = gatesOf(report, limits);
    if (report.suggestions)
      report.suggestions = report.suggestions.map((each) => withPatch(each, process.cwd()));
    if (values.json) printJson<'scan'>(report);
    else if (values.jsonl) {
      const { trajectories, ...rest } = report;
      for (const trajectory of trajectories) printJson<'scan-run'>(trajectory);
      printJson<'scan-end'>(rest);
    } else if (isText) {
      printLines(
        scanText(report, { ...standardOutput(), top, hasPage: values.html !== undefined }),
      );
      if (report.suggestions)
        printLines(['', ...suggestionText(report.suggestions, standardOutput())]);
      const left = [
        ...(values.since === undefined ? [] : [`--since ${values.since}`]),
        ...shared.exclude.map((glob) => `--exclude ${glob}`),
      ];
      if (report.totals.trajectories === 0 && left.length > 0)
        console.log(printable(`Nothing is left after ${left.join(', ')}.`));
    }
    if (!isText)
      for (const { file, message, fatal } of report.problems)
        if (fatal) complain(`${file}: ${message}`);
    for (const [i, { title, file, write }] of outputs.entries()) {
      if (file === '-') process.stdout.write(write(report, limits));
      else {
        writePageFile(file, write(report, limits));
        if (isText) console.log(`${i === 0 ? '\n' : ''}${title} written to ${printable(file)}.`);
      }
    }
    if (paths.length === 0) return EXIT.ok;
    return exitCode(report, { strict: values.strict, isZero: values['exit-zero'] });
  },
);

/** The files that can be written in addition to the text, by their option. */
const OUTPUTS = {
  html: {
    title: 'Report',
    write: (report: ScanReport): string => scanPage(report, { madeAt: Date.now() }),
  },
  md: { title: 'Markdown', write: scanMarkdown },
  junit: {
    title: 'JUnit XML',
    write: (report: ScanReport, { failOn }: ScanLimits): string => scanJunit(report, failOn),
  },
  sarif: { title: 'SARIF', write: (report: ScanReport): string => scanSarif(report, version()) },
  csv: { title: 'CSV', write: scanCsv },
} as const;

/** Only one output can go to standard output, or to each file. */
function checkOutputs(
  outputs: readonly { option: string; file: string }[],
  printed: readonly string[],
): void {
  const places = new Map(printed.map((option) => ['-', option]));
  for (const { option, file } of outputs) {
    const place = file === '-' ? file : resolve(file);
    const other = places.get(place);
    if (other !== undefined)
      throw usageError(
        `${other} and ${option} cannot both go to ${file === '-' ? 'standard output' : file}. Give one of them another file.`,
      );
    places.set(place, option);
    if (file !== '-') checkPageFile(file);
  }
}

/** Options that do not apply to two sets of runs, or are decided by their difference. */
const NOT_COMPARED = [
  'jsonl',
  'html',
  'junit',
  'sarif',
  'csv',
  'fail-on',
  'max-loops',
  'max-wasted',
  'otherwise',
  'suggest',
] as const;

function checkCompared(values: Partial<Record<(typeof NOT_COMPARED)[number], unknown>>): void {
  const wrong = NOT_COMPARED.find((name) => values[name]);
  if (wrong !== undefined)
    throw usageError(
      `--compare and --${wrong} cannot be combined: a comparison is text, --json or --md, and fails if the second is worse.`,
    );
}

interface CompareOptions {
  shared: Omit<Scan, 'paths'>;
  isJson: boolean;
  markdown: string | undefined;
  strict: boolean;
  isZero: boolean;
}

/**
 * `--compare BEFORE AFTER`. Ends with 1 when the second is worse, as far as chance allows to say.
 */
async function compare(
  paths: readonly string[],
  { shared, isJson, markdown, strict, isZero }: CompareOptions,
): Promise<number> {
  if (paths.length !== 2)
    throw usageError(`--compare takes two paths, before and after; got ${paths.length}.`);
  const [before, after] = [
    await scanPaths({ paths: [paths[0]!], ...shared }),
    await scanPaths({ paths: [paths[1]!], ...shared }),
  ];
  const comparison = compareScans(before, after);
  if (isJson) printJson<'scan-compare'>(comparison);
  else printLines(compareText(comparison, markdown === '-'));
  if (markdown !== undefined && markdown !== '-')
    writePageFile(markdown, `${compareText(comparison, true).join('\n')}\n`);
  for (const { file, message, fatal } of comparison.problems)
    if (fatal) complain(`${file}: ${message}`);
  if (comparison.looping.difference.low > 0 || comparison.wasted.difference.low > 0)
    return isZero ? EXIT.ok : EXIT.loops;
  const isNothing = [before, after].some(({ totals }) => totals.files === totals.unread);
  return isNothing || (strict && comparison.problems.some(({ fatal }) => fatal))
    ? EXIT.unreadable
    : EXIT.ok;
}

/**
 * Loops decide first; then the case that nothing was read, or with `strict` that something was not.
 */
function exitCode(
  { totals, problems, gates }: ScanReport,
  { strict, isZero }: { strict: boolean; isZero: boolean },
): number {
  const isTooMuch = gates ? gates.some(({ passed }) => !passed) : totals.looping > 0;
  if (isTooMuch) return isZero ? EXIT.ok : EXIT.loops;
  const isNothing = totals.unread === totals.files;
  return isNothing || (strict && problems.some(({ fatal }) => fatal)) ? EXIT.unreadable : EXIT.ok;
}

const shown = (path: string): string => printable(pathShown(path));

/** The session folders of agents that exist on this machine. Prints the searched places. */
function placesWithRuns(otherwise: string | undefined, say: (line: string) => void): string[] {
  const places = usualPlaces({
    home: homedir(),
    variables: process.env,
    platform: process.platform,
  });
  const found = places.map(({ agent, path }) => ({ agent, path, ...findFiles([path]) }));
  // The scan reports what cannot be read there.
  const present = found.filter(({ files, problems }) => files.length + problems.length > 0);
  for (const { agent, path, files } of present)
    say(`Scanning ${agent}: ${shown(path)} (${counted(files.length, 'file')})`);
  if (present.length > 0) {
    say('');
    return present.map(({ path }) => path);
  }
  const agents = [...new Set(found.map(({ agent }) => agent))].join(', ');
  say(`No sessions found on this machine (${agents}). Pass a file or folder: unrut scan <path>.`);
  if (otherwise === undefined) {
    for (const { agent, path } of found) say(`  looked for ${agent} in ${shown(path)}`);
    return [];
  }
  say(`Scanning ${shown(otherwise)} instead.\n`);
  return [otherwise];
}

/** The rungs that a recorded call can reach. */
const GATES = ['note', 'hint', 'block', 'escalate', 'stop'] as const;

function rungOption(given: string): Rung {
  const rung = GATES.find((each) => each === given);
  if (rung) return rung;
  throw usageError(`--fail-on takes ${GATES.join(', ')}; got ${given}.`);
}

/** `5%`, or 0.05. */
function shareOption(name: string, given: string): number {
  const value = /^\d+(?:\.\d+)?%$/.test(given) ? Number(given.slice(0, -1)) / 100 : Number(given);
  // A bare 1 may be meant as 1%.
  if (given.trim() !== '' && value >= 0 && value <= 1 && given.trim() !== '1') return value;
  throw usageError(`--${name} takes a share such as 5% or 0.05; got ${given.trim() || 'nothing'}.`);
}

function strength(given: string): number {
  const value = Number(given);
  if (given.trim() !== '' && value >= 0 && value <= 1) return value;
  throw usageError(`--min-strength takes a number from 0 to 1; got ${given}.`);
}
