import { sentence } from '@unrut/engine/recoveries/wording';
import { printable, wrap } from '@unrut/engine/text/printable';
import type { Paint } from '../text/paint.ts';
import { counted, gateFigure, knownLoops, number, summary, wastedCost } from './figures.ts';
import { tellingGroups } from './groups.ts';
import { DEEDS } from './rung-words.ts';
import { explainCommand, middleCut, runTitle } from './scan-names.ts';
import type {
  Groups,
  Problem,
  ScannedLoop,
  ScanReport,
  StepShown,
  Trajectory,
} from './scan-report.ts';
import { deedsAt } from './scan-report.ts';
import { stepWords } from './step-text.ts';
import type { Sheet } from './table.ts';

export interface TextOptions extends Sheet {
  /** Loops shown. */
  top: number;
  /** A page is written too. */
  hasPage?: boolean;
}

/** Max number of lines about unread files; the JSON has all of them. */
const MAX_PROBLEMS = 20;

/** The report for a terminal: a summary, the loops (worst first), then the unread files. */
export function scanText(
  report: ScanReport,
  { paint, width, top, hasPage = false }: TextOptions,
): string[] {
  const lines = wrap(summary(report.totals), width).map(paint.bold);
  const found = report.trajectories.flatMap((run) => run.loops.map((loop) => ({ run, loop })));
  const loops = found
    .filter(({ loop }) => !loop.advice)
    .sort((one, other) => byWaste(one.loop, other.loop));
  const notes = found.filter(({ loop }) => loop.advice);
  const shown = [...loops, ...notes].slice(0, top);
  for (const [i, { run, loop }] of shown.entries())
    lines.push('', ...loopLines(i + 1, run, loop, { paint, width }));
  const more = loops.length - Math.min(loops.length, top);
  if (more > 0)
    lines.push(
      '',
      `${counted(more, 'more loop')}: --top ${number(loops.length)}${hasPage ? ' shows them here' : ', or --html report.html to see them all'}.`,
    );
  if (notes.length > 0 && loops.length + notes.length > top)
    lines.push(
      '',
      ...wrap(
        `Also ${counted(notes.length, 'note')} about edits, waiting or blocked tasks: advice, not loops.`,
        width,
      ),
    );
  for (const line of knownLoops(report.totals)) lines.push('', line);
  if (report.groups && report.totals.trajectories > 1 && loops.length > 1)
    lines.push('', ...groupLines(report.groups, width));
  for (const { name, value, limit, passed } of report.gates ?? [])
    lines.push(
      '',
      `${passed ? 'Passed' : 'Failed'}: ${gateText(name, value)}, at most ${gateFigure(name, limit)} allowed.`,
    );
  const problems = problemLines(report.problems);
  if (problems.length > 0)
    lines.push('', ...problems.flatMap((line) => wrap(printable(line), width)));
  return lines;
}

/**
 * Unread files, worst first. Files of unknown format share one line, as do those beyond the limit;
 * the JSON names each.
 */
function problemLines(problems: readonly Problem[]): string[] {
  const isStrange = ({ message }: Problem): boolean => message.startsWith('Unknown format:');
  const [strange, known] = [
    problems.filter(isStrange),
    problems.filter((problem) => !isStrange(problem)),
  ];
  const line = ({ file, message, fatal }: Problem): string =>
    `${fatal ? '!' : '·'} ${file}: ${message}`;
  const all = [
    ...known.filter(({ fatal }) => fatal),
    ...strange.slice(0, 1),
    ...known.filter(({ fatal }) => !fatal),
  ].map(line);
  const lines = all.slice(0, MAX_PROBLEMS);
  if (all.length > MAX_PROBLEMS)
    lines.push(`· ${counted(all.length - MAX_PROBLEMS, 'more line')} like these; --json has all.`);
  if (strange.length > 1)
    lines.push(
      `! ${counted(strange.length - 1, 'more file')} of unknown format: ${someOf(strange.slice(1))}.`,
    );
  return lines;
}

const someOf = (problems: readonly Problem[]): string =>
  `${problems
    .slice(0, 5)
    .map(({ file }) => file)
    .join(', ')}${problems.length > 5 ? ', … (--json names all)' : ''}`;

function gateText(name: string, value: number): string {
  const what = value === 1 ? name.replace('loops', 'loop').replace('reach', 'reaches') : name;
  return `${gateFigure(name, value)} ${name.includes('share') ? 'of the steps wasted' : what}`;
}

/** `By tool: Bash 3 loops (40 wasted steps), …`. */
function groupLines(groups: Groups, width: number): string[] {
  return tellingGroups(groups).flatMap(([by, named]) => {
    const some = named
      .slice(0, 5)
      .map(
        (group) =>
          `${printable(middleCut(group.name, 40))} ${counted(group.loops, 'loop')} (${counted(group.wastedSteps, 'wasted step')})`,
      );
    return wrap(
      `By ${by}: ${some.join(', ')}${named.length > 5 ? `, ${named.length - 5} more` : ''}.`,
      width,
    );
  });
}

const byWaste = (one: ScannedLoop, other: ScannedLoop): number =>
  other.wastedSteps - one.wastedSteps || other.strength - one.strength;

function loopLines(
  rank: number,
  run: Trajectory,
  loop: ScannedLoop,
  { paint, width }: Sheet,
): string[] {
  const name = loop.advice ? 'note on' : `${loop.detector} in`;
  const cost = [counted(loop.wastedSteps, 'wasted step'), ...wastedCost(loop)];
  const from =
    loop.start === loop.end ? `step ${loop.start}` : `steps ${loop.start} to ${loop.end}`;
  const also = loop.also.length > 0 ? `; also by ${loop.also.join(', ')}` : '';
  return [
    ...wrap(`${rank}. ${name} ${printable(runTitle(run))}, ${from}: ${cost.join(', ')}`, width).map(
      loop.advice ? paint.bold : paint.yellow,
    ),
    ...wrap(paint.dim(`${printable(run.file)} (${run.format})`), width, 3),
    ...wrap(`${sentence(printable(loop.text))}.`, width, 3),
    ...loop.repeats.flatMap((step, i) => [
      ...gap(loop.repeats[i - 1], step),
      stepLine(step, width, paint),
    ]),
    ...wrap(
      paint.dim(`Detected by ${loop.detector} (${loop.variant}) at step ${loop.firedAt}${also}.`),
      width,
      3,
    ),
    ...wrap(deeds(run, loop), width, 3),
    paint.dim(`   ${printable(explainCommand(run, loop))}`),
  ];
}

/** Marks skipped steps. */
const gap = (before: StepShown | undefined, step: StepShown): string[] =>
  before && step.step - before.step > 1 ? [`${' '.repeat(8)}⋮`] : [];

function stepLine({ step, what, brought, input }: StepShown, width: number, paint: Paint): string {
  const label = /^says /.test(what) ? `says ${JSON.stringify(input)}` : what;
  return `   ${String(step).padStart(6)}  ${stepWords({ what: label, brought }, width - 11, paint)}`;
}

/**
 * Unrut's first action on each rung: from the transcript if it shows any; otherwise what it would
 * have done.
 */
function deeds(run: Trajectory, loop: ScannedLoop): string {
  const did = deedsAt(run, loop);
  const all = did.length > 0 ? did : loop.plans;
  const first = all.filter((deed, i) => all.findIndex(({ rung }) => rung === deed.rung) === i);
  if (first.length === 0) return 'Unrut would have said nothing: its notes had already been given.';
  const words = first.map(
    ({ rung, step }, i) => `${DEEDS[rung].done} (${i === 0 ? 'step ' : ''}${step})`,
  );
  return `Unrut ${did.length > 0 ? 'has' : 'would have:'} ${words.join(', ')}.`;
}
