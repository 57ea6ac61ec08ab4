import { createGuard } from '../guard.ts';
import { redact } from '../redact.ts';
import { type ImportedFile, importFile } from './import-file.ts';
import type { Problem, Trajectory } from './report.ts';
import { createRunScan, type RunScan, type Wanted } from './run-scan.ts';

export interface ScanOptions extends Wanted {
  /** Name of the importer, where the content shall not decide. */
  format?: string;
  /** Epoch milliseconds: only runs with an event at or after it, and runs that tell no time. */
  since?: number;
}

/** What one file holds. */
export interface FileScan {
  file: string;
  trajectories: Trajectory[];
  problems: Problem[];
  /** Nothing in it is known to any importer. */
  unknown: boolean;
}

/** Reads one file through the guard. What goes wrong is among the problems. */
export async function scanFile(file: string, options: ScanOptions, onBytes?: (count: number) => void): Promise<FileScan> {
  const guard = createGuard();
  const runs = new Map<string, { id: string; scan: RunScan }>();
  let last: { session: string; agent: string | undefined; scan: RunScan } | undefined;
  function scanOf(session: string, agent: string | undefined): RunScan {
    const key = JSON.stringify([session, agent]);
    const id = [session, ...(agent === undefined ? [] : [agent])].map(idOf).join('/');
    const run = runs.get(key) ?? { id, scan: createRunScan(guard, options) };
    runs.set(key, run);
    return run.scan;
  }
  const imported = await importFile(file, {
    format: options.format,
    onBytes,
    onEvent(each) {
      const { session, agent } = each.event;
      if (!last || last.session !== session || last.agent !== agent) last = { session, agent, scan: scanOf(session, agent) };
      last.scan.see(each);
    },
  });
  const skipped = sum(imported.broken.values()) + sum(imported.unknown.values());
  const trajectories = [...runs.values()]
    .map(({ id, scan }, i) => scan.report({ id, file, format: imported.format ?? '', skipped: i === 0 ? skipped : 0 }))
    .filter(({ to }) => options.since === undefined || to === undefined || to >= options.since);
  const unknown = imported.format === undefined && imported.records > 0;
  return { file, trajectories, problems: problemsOf(file, imported, runs.size), unknown };
}

/** Ids of traces and sessions are long and random, as secrets are; they are what a run is asked for by. */
const idOf = (id: string): string => (/^[\da-f-]{8,64}$/i.test(id) ? id : redact(id));

const sum = (counts: Iterable<number>): number => [...counts].reduce((total, each) => total + each, 0);
const some = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;

function problemsOf(file: string, { format, records, broken, unknown, failure, looksLike }: ImportedFile, runs: number): Problem[] {
  const problems: Problem[] = [];
  const problem = (fatal: boolean, message: string): void => void problems.push({ file, message, fatal });
  const [bad = 0, long = 0, cut = 0] = [broken.get('not JSON'), broken.get('too long'), broken.get('cut off')];
  if (failure) problem(true, records > 0 ? `Read only in part: ${failure}.` : `Cannot be read: ${failure}.`);
  else if (records === 0 && bad + long + cut === 0) problem(false, 'Empty: there is nothing in it.');
  else if (records === 0) problem(true, 'No JSON in it. Expected the record of a run as JSON or JSON lines.');
  else if (format === undefined)
    problem(true, `Of no known format: it begins with ${looksLike}. Formats: unrut scan --formats. Force one with --format.`);
  else if (runs === 0) problem(false, `No step in it, though it looks like ${format}.`);
  if (records > 0 && bad > 0) problem(true, `${some(bad, 'line')} left out: not JSON.`);
  if (long > 0) problem(true, `${some(long, 'record')} left out: longer than 64 MB.`);
  if (records > 0 && cut > 0) problem(false, 'The last line is cut off, and left out. Is the file still being written?');
  if (unknown.size > 0 && format !== undefined)
    problem(
      false,
      `${some(sum(unknown.values()), 'record')} of a kind that ${format} does not know: ${[...unknown.keys()].slice(0, 5).join(', ')}.`,
    );
  return problems;
}
