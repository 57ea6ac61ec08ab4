import type { Folder, Piece } from './folders.ts';
import { plain, sectionOf, tableIn } from './markdown.ts';

/** What the rules below read of a detector. */
export interface DetectorPiece extends Piece {
  status: string;
  rungs: { first: string; highest: string };
}

interface Trace {
  name: string;
  twin: string | undefined;
  lines: string[];
}

/** A trace line's ending: how often it is repeated, and what is signalled at it. */
const ENDING = /(?: x\d+)?( ! [\w-]+)?$/;
const signals = (line: string): boolean => ENDING.exec(line)?.[1] !== undefined;
const withoutEnding = (line: string): string => line.replace(ENDING, '');

function tracesUnder(readme: string, heading: string, complain: (text: string) => void): Trace[] {
  const traces: Trace[] = [];
  for (const { info, lines } of sectionOf(readme, heading)?.fences ?? []) {
    const parts = /^trace (\S+)(?: twin of (\S+))?$/.exec(info);
    if (parts)
      traces.push({
        name: parts[1]!,
        twin: parts[2],
        lines: lines.filter((line) => line.trim() !== ''),
      });
    else complain(`a block under ${heading} is headed "${info}", expected "trace <name>"`);
  }
  return traces;
}

/**
 * What is wrong with the traces of a detector's README, as far as it can be seen without running
 * them.
 */
export function traceComplaints({ name, readme }: Folder): string[] {
  const complaints: string[] = [];
  const complain = (text: string): void => void complaints.push(`${name}: ${text}`);
  const firing = tracesUnder(readme, '## Fires', complain);
  const quiet = tracesUnder(readme, '## Stays quiet', complain);
  if (firing.length === 0) complain('has no firing trace');
  if (quiet.length === 0) complain('has no quiet trace');
  const names = [...firing, ...quiet].map((trace) => trace.name);
  for (const twice of new Set(names.filter((one, index) => names.indexOf(one) !== index)))
    complain(`two traces are called ${twice}`);
  for (const trace of firing) {
    if (trace.twin) complain(`the firing trace ${trace.name} is called a twin`);
    if (!trace.lines.some(signals))
      complain(`the firing trace ${trace.name} marks no line with "! variant"`);
  }
  for (const trace of quiet) {
    if (trace.lines.some(signals))
      complain(`the quiet trace ${trace.name} marks a line with "! variant"`);
    const twin = firing.find((other) => other.name === trace.twin);
    if (!twin)
      complain(
        `the quiet trace ${trace.name} is twin of ${trace.twin ?? 'none'}, which is no firing trace`,
      );
    else if (withoutEnding(twin.lines[0] ?? '') !== withoutEnding(trace.lines[0] ?? '')) {
      complain(`the quiet trace ${trace.name} does not begin like ${twin.name}`);
    }
  }
  return complaints;
}

/** What a detector's status forbids: one on trial can only note. */
export const statusComplaints = ({ name, status, rungs }: DetectorPiece): string[] =>
  status === 'trial' && rungs.highest !== 'note'
    ? [`${name}: is on trial and reaches ${rungs.highest}, expected note`]
    : [];

/**
 * Which of the detectors that a recovery says it answers (`*`, `detector` or `detector/variant`) do
 * not exist.
 */
export function answerComplaints(
  recovery: { name: string; answers: readonly string[] },
  detectors: readonly string[],
): string[] {
  return recovery.answers
    .filter((answered) => answered !== '*' && !detectors.includes(answered.split('/', 1)[0]!))
    .map((answered) => `${recovery.name}: answers ${answered}, which is no detector`);
}

/**
 * The names in the first column of the table of what is detected in docs/detectors.md, in order.
 */
export function documentedDetectors(page: string): string[] {
  const [, ...rows] = tableIn(sectionOf(page, '## What it detects')?.lines ?? []);
  return rows.flatMap(([first = '']) =>
    [...first.matchAll(/`[^`]+`/g)].map(([name]) => plain(name)),
  );
}

/** Where that table and the registry differ. */
export function documentationComplaints(
  documented: readonly string[],
  registered: readonly string[],
): string[] {
  return [
    ...registered
      .filter((name) => !documented.includes(name))
      .map((name) => `docs/detectors.md: "What it detects" lacks ${name}`),
    ...documented
      .filter((name) => !registered.includes(name))
      .map((name) => `docs/detectors.md: "What it detects" has ${name}, which is no detector`),
  ];
}
