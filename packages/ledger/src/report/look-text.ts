import { sentence } from '@unrut/engine/recoveries/wording';
import { cut, printable, wrap } from '@unrut/engine/text/printable';
import { counted, dollars, number, short } from './figures.ts';
import { isWorse, type LookedLoop, type LookedRun, type LookReport } from './look-report.ts';
import { runTitle } from './scan-names.ts';
import type { Wasted } from './scan-report.ts';
import type { Sheet } from './table.ts';

export interface LookOptions extends Sheet {
  /** How long ago the look begins: `7 days`. */
  period: string;
}

const MINUTE = 60_000;

/** The finding in one or two sentences that people can share; `isShared` omits names. */
export function lookSentence(look: LookReport, period: string, isShared = false): string {
  const runs = look.runs;
  const sessions = `${counted(sessionsIn(runs), 'session')} in ${period}`;
  const loops = runs.reduce((sum, run) => sum + run.loops, 0);
  const steps = runs.reduce((sum, run) => sum + run.steps, 0);
  if (loops === 0)
    return `${sessions}: no loops. Looked at ${counted(steps, 'step')} in ${counted(look.files, 'file')} (${megabytes(look.bytes)}).`;
  const worst = worstOf(runs)!;
  const what = isShared
    ? `one loop of ${counted(worst.loop.end - worst.loop.start + 1, 'step')}`
    : briefly(printable(worst.loop.text));
  return `${sessions}: ${counted(loops, 'loop')}, ${wastedWords(runs)} wasted. Worst: ${what}.`;
}

/** The folders of an absolute path, at the start of a word. */
const FOLDERS = /(?<=^|[\s`'"=])(?:[A-Za-z]:)?(?:[\\/][^\s`'"\\/:]+)+[\\/](?=[^\s`'"\\/])/g;
const MAX_BRIEF = 80;

/** A loop's description, with file names instead of paths and cut at the first comma. */
export function briefly(text: string): string {
  const short = text.replace(FOLDERS, '').replace(/\.$/, '');
  if (short.length <= MAX_BRIEF) return short;
  const end = short.lastIndexOf(', ', MAX_BRIEF);
  return end > 0 && !isInsideCode(short, end) ? short.slice(0, end) : cut(short, MAX_BRIEF);
}

const isInsideCode = (text: string, end: number): boolean =>
  text.slice(0, end).split('`').length % 2 === 0;

/** At most eight lines: the finding, the worst loop, and Unrut's message about it. */
export function lookText(look: LookReport, { period, paint, width }: LookOptions): string[] {
  const lines = wrap(lookSentence(look, period), width).slice(0, 3).map(paint.bold);
  const worst = worstOf(look.runs);
  if (!worst) return lines;
  const { run, loop } = worst;
  const told = loop.said;
  const rest = told === undefined ? 0 : Math.max(0, loop.end - told.step);
  const [hasSaid, hasSpoken] = loop.isTold
    ? ['Unrut said', 'Unrut spoke']
    : ['Unrut would have said', 'Unrut would have spoken'];
  const said =
    told === undefined
      ? 'Unrut would have said nothing here.'
      : `${hasSaid}: ${sentence(printable(told.toModel).replace(/^Unrut \(loop guard\):? /, ''))}`;
  return [
    ...lines,
    '',
    cut(`  ${printable(runTitle(run))}`, width),
    cut(
      `  ${counted(loop.wastedSteps, 'wasted step')}${costWords(loop)}${rest > 0 ? `; ${number(rest)} of them after ${hasSpoken}` : ''}.`,
      width,
    ),
    ...shortened(wrap(said, width - 2, 2), 3),
  ];
}

/** Nested agents are part of their session. */
const sessionsIn = (runs: readonly LookedRun[]): number =>
  new Set(runs.map(({ id }) => id.split('/')[0])).size;

/** The worst loop of each run, sorted by severity. */
export const worstFirst = (runs: readonly LookedRun[]): { run: LookedRun; loop: LookedLoop }[] =>
  runs
    .flatMap((run) => (run.worst ? [{ run, loop: run.worst }] : []))
    .sort(
      (one, other) => Number(isWorse(other.loop, one.loop)) - Number(isWorse(one.loop, other.loop)),
    );

export const worstOf = (
  runs: readonly LookedRun[],
): { run: LookedRun; loop: LookedLoop } | undefined => worstFirst(runs)[0];

function wastedWords(runs: readonly LookedRun[]): string {
  const sum = (of: (run: LookedRun) => number | undefined): number =>
    runs.reduce((all, run) => all + (of(run) ?? 0), 0);
  const [ms, usd, tokens] = [
    sum((run) => run.wastedMs),
    sum((run) => run.wastedUsd),
    sum((run) => run.wastedTokens),
  ];
  const parts = [
    ...(ms >= MINUTE ? [minutes(ms)] : []),
    ...(usd >= 0.01 ? [dollars(usd)] : tokens >= 1000 ? [`${short(tokens)} tokens`] : []),
  ];
  return parts.length > 0
    ? parts.join(' and ')
    : counted(
        sum((run) => run.wastedSteps),
        'step',
      );
}

const costWords = ({ wastedMs = 0, wastedUsd = 0 }: Wasted): string =>
  [
    ...(wastedMs >= MINUTE ? [`, ${minutes(wastedMs)}`] : []),
    ...(wastedUsd >= 0.01 ? [`, ${dollars(wastedUsd)}`] : []),
  ].join('');

function minutes(ms: number): string {
  const all = Math.round(ms / MINUTE);
  return all < 120 ? counted(all, 'minute') : counted(Math.round(all / 60), 'hour');
}

const megabytes = (bytes: number): string =>
  bytes < 1e6 ? `${Math.ceil(bytes / 1000)} KB` : `${number(bytes / 1e6)} MB`;

/** The first lines, with a mark two columns wide if some were cut. */
export function shortened(lines: readonly string[], most: number): string[] {
  if (lines.length <= most) return [...lines];
  return [...lines.slice(0, most - 1), `${lines[most - 1]!.replace(/\W+$/, '')} …`];
}
