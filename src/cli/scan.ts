import { homedir } from 'node:os';
import { importers } from '../importers/index.ts';
import { counted } from '../report/figures.ts';
import { scanPage } from '../report/html/scan-page.ts';
import type { ScanReport } from '../report/scan-report.ts';
import { scanText } from '../report/scan-text.ts';
import { findFiles } from '../scan/find-files.ts';
import { importerNamed } from '../scan/import-file.ts';
import { pathShown } from '../scan/path-shown.ts';
import { scan as scanPaths } from '../scan/scan.ts';
import type { ScanOptions } from '../scan/scan-file.ts';
import { usualPlaces } from '../scan/usual-places.ts';
import { paintFor } from '../text/paint.ts';
import { printable } from '../text/printable.ts';
import { detectorOption, readArguments, timeArgument, wholeNumber } from './arguments.ts';
import { EXIT, usageError } from './exit.ts';
import { checkPageFile, writePageFile } from './page-file.ts';
import { createProgress } from './progress.ts';
import { widthOf } from './width.ts';

const HELP = `unrut scan [options] [path…]

Find loops in recorded agent runs: where they are, what they cost, and what Unrut would have done.
A path is a file, a folder, a glob, or - for standard input. Gzip is fine, and the format is detected from the content.
Without a path, scan the session folders of the agents on this machine.

Options
  --top N            show the N worst loops (default 10)
  --since WHEN       only runs active after WHEN: 30m, 24h, 7d, 2w, or a date
  --detector NAME    only loops found by this detector (repeatable)
  --min-strength S   only loops with at least this confidence, 0 to 1
  --format NAME      read every file as this format
  --formats          list the formats and exit
  --html FILE        also write an HTML report with timelines and repeated steps side by side
  --json             print one JSON object instead of text
  --jsonl            print one JSON object per run as it is read, then the totals
  --otherwise PATH   scan PATH if the agents' folders are empty
  --exclude GLOB     leave out files and folders that match, by path or name (repeatable)
  --strict           exit with 2 if anything was not read
  --jobs N           threads (default: one per core)
  --exit-zero        exit with 0 even if there are loops
  --help

Exit codes: 0 no loops (what was not read is listed), 1 loops found, 2 no loops and nothing could be read, or with --strict something
was not, 64 usage error.`;

const OPTIONS = {
  top: { type: 'string', default: '10' },
  since: { type: 'string' },
  detector: { type: 'string', multiple: true },
  'min-strength': { type: 'string' },
  format: { type: 'string' },
  formats: { type: 'boolean', default: false },
  html: { type: 'string' },
  json: { type: 'boolean', default: false },
  jsonl: { type: 'boolean', default: false },
  otherwise: { type: 'string' },
  jobs: { type: 'string' },
  exclude: { type: 'string', multiple: true },
  strict: { type: 'boolean', default: false },
  'exit-zero': { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
} as const;

/** Where the threads of a scan begin. */
export interface ScanSetting {
  worker: URL;
}

/** `unrut scan`. Returns the exit code. */
export async function scanCommand(args: readonly string[], { worker }: ScanSetting): Promise<number> {
  const { values, positionals } = readArguments('scan', args, OPTIONS);
  if (values.help || values.formats) {
    console.log(values.help ? HELP : importers.map(({ name, reads }) => `${name.padEnd(20)} ${reads}`).join('\n'));
    return EXIT.ok;
  }
  if (values.json && values.jsonl) throw usageError('--json and --jsonl cannot be combined.');
  const top = wholeNumber('top', values.top, 1);
  const options: ScanOptions = {
    ...(values.format === undefined ? {} : { format: importerNamed(values.format).name }),
    ...(values.since === undefined ? {} : { since: timeArgument('since', values.since, Date.now()) }),
    ...(values.detector === undefined ? {} : { detectors: values.detector.map(detectorOption) }),
    ...(values['min-strength'] === undefined ? {} : { minStrength: strength(values['min-strength']) }),
  };
  if (values.html !== undefined) checkPageFile(values.html);
  const isText = !values.json && !values.jsonl;
  const say = isText ? console.log : console.error;
  const paths = positionals.length > 0 ? positionals : placesWithRuns(values.otherwise, say);
  if (paths.length === 0 && isText && values.html === undefined) return EXIT.ok;
  const progress = createProgress(process.stderr);
  const report = await scanPaths({
    paths,
    worker,
    exclude: values.exclude ?? [],
    ...options,
    ...(values.jobs === undefined ? {} : { jobs: wholeNumber('jobs', values.jobs, 1) }),
    onProgress: progress.show,
    // An HTML report needs all runs at the end.
    ...(values.jsonl && values.html === undefined ? { onTrajectory: (trajectory) => void console.log(JSON.stringify(trajectory)) } : {}),
  });
  progress.clear();
  if (values.json) console.log(JSON.stringify(report));
  else if (values.jsonl) {
    for (const trajectory of report.trajectories) console.log(JSON.stringify(trajectory));
    console.log(JSON.stringify({ version: report.version, totals: report.totals, problems: report.problems }));
  } else {
    const width = widthOf(process.stdout, process.env);
    for (const line of scanText(report, { paint: paintFor(process.stdout), width, top })) console.log(line);
  }
  if (!isText) for (const { file, message, fatal } of report.problems) if (fatal) console.error(printable(`[unrut] ${file}: ${message}`));
  if (values.html !== undefined) {
    writePageFile(values.html, scanPage(report, { madeAt: Date.now() }));
    if (isText) console.log(`\nReport written to ${printable(values.html)}.`);
  }
  if (paths.length === 0) return EXIT.ok;
  return exitCode(report, { strict: values.strict, isZero: values['exit-zero'] });
}

/** What loops counts first; then that nothing was read, or with `strict` that something was not. */
function exitCode({ totals, problems }: ScanReport, { strict, isZero }: { strict: boolean; isZero: boolean }): number {
  if (totals.looping > 0) return isZero ? EXIT.ok : EXIT.loops;
  const isNothing = totals.unread === totals.files;
  return isNothing || (strict && problems.some(({ fatal }) => fatal)) ? EXIT.unreadable : EXIT.ok;
}

const shown = (path: string): string => printable(pathShown(path));

/** The session folders of agents that exist on this machine. Prints where it looked. */
function placesWithRuns(otherwise: string | undefined, say: (line: string) => void): string[] {
  const places = usualPlaces({ home: homedir(), variables: process.env, platform: process.platform });
  const found = places.map(({ agent, path }) => ({ agent, path, ...findFiles([path]) }));
  // The scan reports what cannot be read there.
  const present = found.filter(({ files, problems }) => files.length + problems.length > 0);
  for (const { agent, path, files } of present) say(`Scanning ${agent}: ${shown(path)} (${counted(files.length, 'file')})`);
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

function strength(given: string): number {
  const value = Number(given);
  if (given.trim() !== '' && value >= 0 && value <= 1) return value;
  throw usageError(`--min-strength takes a number from 0 to 1; got ${given}.`);
}
