import { availableParallelism } from 'node:os';
import { groupsOf } from '@unrut/ledger/report/groups';
import type {
  Problem,
  ScannedLoop,
  ScanReport,
  Totals,
  Trajectory,
} from '@unrut/ledger/report/scan-report';
import { type Lead, suggestionsFrom } from '../suggest/suggestions.ts';
import { isAboutVersion } from './file-problems.ts';
import { findFiles } from './find-files.ts';
import { scanFiles } from './pool.ts';
import { cents } from './run-scan.ts';
import type { FileScan, ScanOptions } from './scan-file.ts';

export interface Scan extends ScanOptions {
  paths: readonly string[];
  /** Globs of files and folders to exclude. */
  exclude?: readonly string[];
  /** Max number of threads. Default: the number of cores. */
  jobs?: number;
  /** The module that threads run; without it everything is read on this one. */
  worker?: URL;
  /** Ids of loops that are left out. */
  known?: ReadonlySet<string>;
  /** Progress: bytes read, and the total. */
  onProgress?(done: number, all: number): void;
  /** Called with each finished trajectory, which then is not kept for the report. */
  onTrajectory?(trajectory: Trajectory): void;
}

/** A thread costs some 50 ms to start. */
const WORTH_A_THREAD = 4 << 20;

/** Finds the loops in recorded runs. */
export async function scan({
  paths,
  exclude = [],
  jobs = availableParallelism(),
  worker,
  known = new Set(),
  onProgress,
  onTrajectory,
  ...options
}: Scan): Promise<ScanReport> {
  const { files, problems: unreadable, absent } = findFiles(paths, exclude);
  const problems = [...unreadable, ...absent];
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  const doubtful = new Set(
    files.filter(({ named, isDoubtful }) => isDoubtful && !named).map(({ path }) => path),
  );
  const report: ScanReport = { version: 1, totals: emptyTotals(), trajectories: [], problems };
  const byFile = new Map<string, Trajectory[]>();
  const leads: Lead[] = [];
  let read = 0;

  /** A version is mentioned once, with its first file. */
  const said = new Set<string>();
  function isNews({ message }: Problem): boolean {
    const isNew = !said.has(message);
    said.add(message);
    return isNew;
  }
  function take(done: FileScan): void {
    report.totals.files++;
    if (done.unread) report.totals.unread++;
    if (done.unread && doubtful.has(done.file))
      problems.push({ ...done.problems[0]!, message: NO_RUN, fatal: false });
    else problems.push(...done.problems.filter((each) => !isAboutVersion(each) || isNews(each)));
    const trajectories =
      known.size === 0
        ? done.trajectories
        : done.trajectories.map((each) => withoutKnown(each, known, report.totals));
    leads.push(...done.leads.filter(({ from }) => !known.has(from.loop)));
    for (const trajectory of trajectories) {
      addTo(report.totals, trajectory);
      onTrajectory?.(trajectory);
    }
    if (!onTrajectory) byFile.set(done.file, trajectories);
  }

  await scanFiles(
    files.map(({ path }) => path),
    {
      scan: options,
      threads: worker && bytes >= WORTH_A_THREAD ? Math.min(jobs, files.length) : 1,
      worker: worker ?? new URL(import.meta.url),
      onBytes(count) {
        read += count;
        onProgress?.(read, bytes);
      },
      onFile: take,
    },
  );
  report.trajectories = files.flatMap(({ path }) => byFile.get(path) ?? []);
  if (!onTrajectory) report.groups = groupsOf(report.trajectories);
  if (options.suggest) report.suggestions = suggestionsFrom(leads);
  for (const name of ['usd', 'wastedUsd'] as const)
    if (report.totals[name] !== undefined) report.totals[name] = cents(report.totals[name]);
  return report;
}

/** Removes the loops of the baseline from a run, with their waste. */
function withoutKnown(run: Trajectory, known: ReadonlySet<string>, totals: Totals): Trajectory {
  const loops = run.loops.filter(({ id }) => !known.has(id));
  const gone = run.loops.filter(({ id, advice }) => known.has(id) && !advice);
  totals.known = (totals.known ?? 0) + gone.length;
  const less = (of: (loop: ScannedLoop) => number | undefined): number =>
    gone.reduce((sum, loop) => sum + (of(loop) ?? 0), 0);
  return {
    ...run,
    loops,
    wastedSteps: run.wastedSteps - less((loop) => loop.wastedSteps),
    ...(run.wastedTokens === undefined
      ? {}
      : { wastedTokens: run.wastedTokens - less((loop) => loop.wastedTokens) }),
    ...(run.wastedUsd === undefined
      ? {}
      : { wastedUsd: run.wastedUsd - less((loop) => loop.wastedUsd) }),
    ...(run.wastedMs === undefined
      ? {}
      : { wastedMs: Math.max(0, run.wastedMs - less((loop) => loop.wastedMs)) }),
  };
}

/** Texts in a folder need not hold runs. */
const NO_RUN = 'Text without a run.';

const emptyTotals = (): Totals => ({
  files: 0,
  unread: 0,
  trajectories: 0,
  steps: 0,
  looping: 0,
  loops: 0,
  signals: 0,
  wastedSteps: 0,
});

const SUMS = ['tokens', 'wastedTokens', 'usd', 'wastedUsd', 'wastedMs'] as const;

function addTo(totals: Totals, trajectory: Trajectory): void {
  const loops = trajectory.loops.filter(({ advice }) => !advice);
  totals.trajectories++;
  totals.steps += trajectory.steps;
  totals.looping += loops.length > 0 ? 1 : 0;
  totals.loops += loops.length;
  totals.signals += trajectory.signals.length;
  totals.wastedSteps += trajectory.wastedSteps;
  for (const name of SUMS)
    if (trajectory[name] !== undefined) totals[name] = (totals[name] ?? 0) + trajectory[name];
}
