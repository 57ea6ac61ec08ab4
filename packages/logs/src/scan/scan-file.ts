import { statSync } from 'node:fs';
import { createGuard } from '@unrut/engine/guard';
import { errorReason } from '@unrut/engine/redact/reason';
import type { Problem, Trajectory } from '@unrut/ledger/report/scan-report';
import type { Lead } from '../suggest/suggestions.ts';
import { insideArchive } from './archive.ts';
import type { FileFacts } from './file-facts.ts';
import { type FileOutcome, fileProblems, isUnread, skippedIn } from './file-problems.ts';
import { importFile } from './import-file.ts';
import { nameShown, pathShown, runShown } from './path-shown.ts';
import { createRunScan, type RunScan, type Wanted } from './run-scan.ts';

export interface ScanOptions extends Wanted {
  /** The importer's name, to override detection. */
  format?: string;
  /**
   * Epoch milliseconds: only runs with an event at or after it; for runs without times, the file's
   * time counts.
   */
  since?: number;
}

/** What one file holds. */
export interface FileScan {
  file: string;
  trajectories: Trajectory[];
  problems: Problem[];
  /** The changes that its loops call for. */
  leads: Lead[];
  /** The report contains nothing of it. */
  unread: boolean;
}

/**
 * Max number of concurrently followed runs, the one idle longest is dropped first; each takes up to
 * 64 KB.
 */
const MAX_AT_ONCE = 20_000;

/** Passes one file through the guard. Failures are added to the problems. */
export async function scanFile(
  file: string,
  options: ScanOptions,
  onBytes?: (count: number) => void,
): Promise<FileScan> {
  try {
    return await readThrough(file, options, onBytes);
  } catch (error) {
    return unreadable(file, error);
  }
}

/** A file that could not be read. */
export function unreadable(file: string, error: unknown): FileScan {
  const problem = {
    file: pathShown(file),
    message: `Cannot be read: ${errorReason(error)}.`,
    fatal: true,
  };
  return { file, trajectories: [], problems: [problem], leads: [], unread: true };
}

async function readThrough(
  file: string,
  options: ScanOptions,
  onBytes?: (count: number) => void,
): Promise<FileScan> {
  const guard = createGuard({ sessions: MAX_AT_ONCE, shadow: true });
  const runs = new Map<string, { id: string; session: string; scan: RunScan }>();
  let last: { session: string; agent: string | undefined; scan: RunScan } | undefined;
  let lost = 0;
  function scanOf(session: string, agent: string | undefined): RunScan {
    const key = JSON.stringify([session, agent]);
    const known = runs.get(key);
    if (known && agent === undefined && !guard.knows(session)) lost++;
    const run = known ?? {
      id: runShown(session, agent),
      session,
      scan: createRunScan(guard, options),
    };
    runs.set(key, run);
    return run.scan;
  }
  const imported = await importFile(file, {
    format: options.format,
    onBytes,
    onEvent(each, by) {
      const { session, agent } = each.event;
      if (!last || last.session !== session || last.agent !== agent)
        last = { session, agent, scan: scanOf(session, agent) };
      last.scan.see(each, by);
    },
  });
  const faults = [...runs.values()].reduce((sum, { scan }) => sum + scan.faults(), 0);
  const outcome: FileOutcome = {
    runs: runs.size,
    faults,
    lost,
    ...resultsOf([...runs.values()].map(({ scan }) => scan)),
    isForced: options.format !== undefined,
  };
  const shown = pathShown(file);
  const unread = isUnread(imported, outcome);
  const read = (unread ? [] : [...runs.values()])
    .map(({ id, session, scan }, i) => {
      const run = scan.report({
        id,
        file: shown,
        format: imported.format ?? '',
        ...shownFacts(imported.factsOf(session)),
        skipped: scan.faults() + (i === 0 ? skippedIn(imported) : 0),
      });
      return { run, leads: scan.leads(run, session) };
    })
    .filter(
      ({ run: { to } }) => options.since === undefined || (to ?? changedAt(file)) >= options.since,
    );
  return {
    file,
    trajectories: read.map(({ run }) => run),
    leads: read.flatMap(({ leads }) => leads),
    problems: fileProblems(shown, imported, outcome),
    unread,
  };
}

/** The number of calls in a file, and of those without a readable result. */
function resultsOf(scans: readonly RunScan[]): Pick<FileOutcome, 'calls' | 'unread'> {
  const all = scans.map((scan) => scan.results());
  return {
    calls: all.reduce((sum, { calls }) => sum + calls, 0),
    unread: all.reduce((sum, { unread }) => sum + unread, 0),
  };
}

const shownFacts = (facts: FileFacts): FileFacts =>
  Object.fromEntries(Object.entries(facts).map(([name, value]) => [name, nameShown(value)]));

/** Modification time of a file in epoch milliseconds; a pipe counts as new. */
const changedAt = (file: string): number =>
  file === '-' ? Number.POSITIVE_INFINITY : statSync(insideArchive(file)?.archive ?? file).mtimeMs;
