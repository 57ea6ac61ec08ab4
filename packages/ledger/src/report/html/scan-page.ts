import { present } from '@unrut/engine/json';
import { noColours } from '../../text/paint.ts';
import { issueText } from '../outputs.ts';
import { explainCommand } from '../scan-names.ts';
import type {
  Problem,
  ScannedLoop,
  ScanReport,
  StepShown,
  Totals,
  Trajectory,
} from '../scan-report.ts';
import { scanText } from '../scan-text.ts';
import { clip, MAX } from './bounds.ts';
import { headline, leadText } from './overview.ts';
import { type PageContent, pageFile } from './page-file.ts';
import { type RankedRun, ranking } from './ranking.ts';
import { type Chart, scanCharts } from './scan-charts.ts';
import { type DrawnRun, drawnRun } from './scan-timeline.ts';

/** The texts of a page about itself. */
export interface PageOptions {
  /** Epoch milliseconds of the scan. */
  madeAt?: number;
  /** Default: `Unrut scan`. */
  title?: string;
}

/** A run in short. */
export interface RunBrief
  extends Omit<Trajectory, 'loops' | 'signals' | 'trial' | 'spoke' | 'timeline'> {
  /** In the report, from 1. */
  place: number;
  /** How many there are. */
  loops: number;
  /** At least one loop is more than advice. */
  isLooping: boolean;
}

/** A loop in full. */
export interface ReportLoop extends Omit<ScannedLoop, 'also' | 'repeats'> {
  /** In its run, from 1. */
  place: number;
  also: string[];
  repeats: StepShown[];
  /** The command that explains the loop, and the text of an issue about it. */
  explain: string;
  issue: string;
}

/** A run in full. */
export interface ReportRun extends RunBrief, DrawnRun {
  shown: ReportLoop[];
}

/** The data of a scan page: the report within limits. */
export interface ScanPageData {
  title: string;
  madeAt?: number;
  totals: Totals;
  lead: string;
  charts: Chart[];
  problems: Problem[];
  /** Worst first. */
  runs: ReportRun[];
  /** Further runs with loops, beyond the limit, and runs without loops. */
  further: RunBrief[];
  calm: RunBrief[];
  /** How many are not even listed. */
  left: Record<'problems' | 'further' | 'calm', number>;
}

/** A scan as a self-contained page, without network or server. */
export const scanPage = (report: ScanReport, options?: PageOptions): string =>
  pageFile(scanContent(report, options));

/** The content of a scan page. Without scripts it shows the text report. */
export function scanContent(
  report: ScanReport,
  { madeAt, title = 'Unrut scan' }: PageOptions = {},
): PageContent & { data: ScanPageData } {
  const { totals, trajectories, problems } = report;
  const ranked = ranking(trajectories);
  const data: ScanPageData = {
    title,
    ...present({ madeAt }),
    totals,
    lead: leadText(totals, trajectories),
    charts: scanCharts(report, ranked),
    problems: problems.slice(0, MAX.problems),
    runs: ranked.inFull.map((run) => ({
      ...brief(run),
      ...drawnRun(run),
      shown: run.loops.map((loop) => shownLoop(run.run, loop)),
    })),
    further: ranked.further.slice(0, MAX.listed).map(brief),
    calm: ranked.withoutLoops.slice(0, MAX.listed).map(brief),
    left: {
      problems: Math.max(0, problems.length - MAX.problems),
      further: Math.max(0, ranked.further.length - MAX.listed),
      calm: Math.max(0, ranked.withoutLoops.length - MAX.listed),
    },
  };
  const text = clip(
    scanText(within(report), { paint: noColours, width: 100, top: MAX.bars }).join('\n'),
    20 * MAX.text,
  );
  return {
    title: `${headline(totals)} – ${clip(title, MAX.name)}`,
    kind: 'scan',
    data: within(data),
    text,
  };
}

function brief({ place, run }: RankedRun): RunBrief {
  const { loops, signals: _, trial: __, spoke: ___, timeline: ____, ...rest } = run;
  return { ...rest, place, loops: loops.length, isLooping: loops.some(({ advice }) => !advice) };
}

const shownLoop = (run: Trajectory, { place, loop }: RankedRun['loops'][number]): ReportLoop => ({
  ...loop,
  place,
  explain: explainCommand(run, loop),
  issue: issueText({ run, loop }),
});

/** Max length of texts other than names. */
const LENGTHS: Record<string, number> = {
  ...Object.fromEntries(
    ['text', 'toModel', 'toHuman', 'message', 'issue', 'lead'].map((key) => [key, MAX.text]),
  ),
  input: MAX.cell,
  output: MAX.cell,
  letters: Number.POSITIVE_INFINITY,
  acts: Number.POSITIVE_INFINITY,
};

/** Copies a value and cuts long texts. */
function within<T>(value: T, key = ''): T {
  if (typeof value === 'string') return clip(value, LENGTHS[key] ?? MAX.name) as T;
  if (Array.isArray(value)) return value.map((each) => within(each, key)) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, within(each, name)]),
  ) as T;
}
