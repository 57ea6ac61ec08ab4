import { UnrutError } from '@unrut/engine/errors';
import { createGuard } from '@unrut/engine/guard';
import { type Preset, recommended } from '@unrut/engine/presets';
import { counted } from '@unrut/ledger/report/figures';
import type { Imported } from '../importers/source.ts';
import { skippedIn } from '../scan/file-problems.ts';
import { findFiles } from '../scan/find-files.ts';
import { type ImportedFile, importFile } from '../scan/import-file.ts';
import { nameShown, pathShown, runShown } from '../scan/path-shown.ts';
import type { RunAbout } from './report.ts';

/** The one run that is explained. */
export interface ExplainedRun {
  id: string;
  file: string;
  format: string;
  events: Imported[];
  /** The detectors in force, with their options. Default: all recommended ones. */
  detectors?: Readonly<Record<string, object>>;
  /** What was left out, one sentence each. */
  limits: string[];
}

export interface RunWanted {
  /** Its id, or its number in the file from 1; optional if there is only one run. */
  id?: string | undefined;
  format?: string | undefined;
}

/** Max number of events to explain: 20,000 events are about 10,000 steps, and take some seconds. */
const MAX_EVENTS = 20_000;
const MAX_NAMES = 12;

interface Candidate {
  id: string;
  /** Counted from 1, since masked ids may be equal. */
  number: number;
  last: number;
  events: Imported[];
  isCut: boolean;
}

/** Reads the requested run of a file. Throws if it does not exist or the request is ambiguous. */
export async function readRun(path: string, { id, format }: RunWanted): Promise<ExplainedRun> {
  const candidates = new Map<string, Candidate>();
  const source = fileAt(path);
  const file = pathShown(source);
  const imported = await importFile(source, {
    format,
    onEvent(each) {
      const { session, agent } = each.event;
      const name = agent === undefined ? session : `${session}/${agent}`;
      const candidate = candidates.get(name) ?? {
        id: runShown(session, agent),
        number: candidates.size + 1,
        last: 0,
        events: [],
        isCut: false,
      };
      candidates.set(name, candidate);
      candidate.last = Math.max(candidate.last, each.step);
      // Keeps only the requested run, or the first one.
      const isWanted =
        id === undefined
          ? candidates.size === 1
          : [name, candidate.id, String(candidate.number)].includes(id);
      if (!isWanted) return;
      if (candidate.events.length < MAX_EVENTS) candidate.events.push(each);
      else candidate.isCut = true;
    },
  });
  const chosen = choose(file, imported, [...candidates.entries()], id);
  const events = numbered(chosen.events);
  return {
    id: chosen.id,
    file,
    format: imported.format ?? '',
    events,
    limits: limitsOf(imported, { ...chosen, events }),
  };
}

/** Adds the guard's step numbers to the events. */
function numbered(events: readonly Imported[]): Imported[] {
  const guard = createGuard({ preset: { ...recommended, detectors: [] } });
  return events.map((each) => ({ ...each, step: guard.observe(each.event).step }));
}

/** The given file, or the only one of a folder. */
function fileAt(path: string): string {
  if (path === '-') return path;
  const { files, problems, absent } = findFiles([path]);
  if (files.length === 1) return files[0]!.path;
  const [problem] = [...problems, ...absent];
  const why =
    files.length > 1
      ? `It is a folder with ${files.length} files. Pass one of them, such as ${pathShown(files[0]!.path)}.`
      : problem?.message;
  throw new UnrutError('unreadable', `Cannot explain ${pathShown(path)}. ${why}`);
}

function choose(
  file: string,
  imported: ImportedFile,
  candidates: [name: string, candidate: Candidate][],
  id: string | undefined,
): Candidate {
  if (candidates.length === 0)
    throw new UnrutError('unreadable', `Cannot explain ${file}: ${whyNothing(imported)}.`);
  const names = candidates
    .slice(0, MAX_NAMES)
    .map(([, each]) => `${each.number}. ${each.id} (${counted(each.last + 1, 'step')})`);
  if (candidates.length > MAX_NAMES) names.push(`${candidates.length - MAX_NAMES} more`);
  if (id === undefined) {
    if (candidates.length === 1) return candidates[0]![1];
    throw new UnrutError(
      'usage',
      `${file} holds ${candidates.length} runs. Choose one with --run, by number or id: ${names.join(', ')}.`,
    );
  }
  const found =
    candidates.find(([name, each]) => name === id || each.id === id) ??
    candidates.find(([, each]) => String(each.number) === id);
  if (found) return found[1];
  throw new UnrutError(
    'usage',
    `There is no run ${nameShown(id)} in ${file}. It holds ${names.join(', ')}.`,
  );
}

function whyNothing({ failure, records, broken, format, looksLike }: ImportedFile): string {
  if (failure !== undefined) return failure;
  if (records === 0)
    return broken.has('cut off') ? 'it is truncated: the JSON has no end' : 'it is not JSON';
  if (format === undefined)
    return `unknown format; it starts with ${looksLike}. List formats with unrut scan --formats, force one with --format`;
  return `no steps found although it looks like ${format}`;
}

function limitsOf(imported: ImportedFile, { isCut, events }: Candidate): string[] {
  const limits: string[] = [];
  const left = skippedIn(imported);
  if (imported.failure !== undefined)
    limits.push(`The file was only partly read: ${imported.failure}.`);
  if (left > 0) limits.push(`${left} ${left === 1 ? 'record' : 'records'} could not be used.`);
  if (isCut) limits.push(`The run is long: only steps up to ${events.at(-1)!.step} are explained.`);
  return limits;
}

/** The detectors in force, with their options. */
export const presetIn = ({ detectors }: Pick<ExplainedRun, 'detectors'>): Preset =>
  detectors
    ? withOptions(
        {
          ...recommended,
          detectors: recommended.detectors.filter(({ name }) => Object.hasOwn(detectors, name)),
        },
        detectors,
      )
    : recommended;

/** A preset whose detectors have these options. */
export const withOptions = (preset: Preset, options: Readonly<Record<string, object>>): Preset => ({
  ...preset,
  detectors: preset.detectors.map((each) => ({
    ...each,
    options: { ...each.options, ...options[each.name] },
  })),
});

/** A description of the run for a reader. */
export const aboutRun = ({ id, file, format }: ExplainedRun): RunAbout => ({ id, file, format });
