import { counted } from '@unrut/ledger/report/figures';
import { MAX } from '@unrut/ledger/report/html/bounds';
import { headline } from '@unrut/ledger/report/html/overview';
import type {
  ReportLoop,
  ReportRun,
  RunBrief,
  ScanPageData,
} from '@unrut/ledger/report/html/scan-page';
import { runTitle } from '@unrut/ledger/report/scan-names';
import type { JSX } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { Choice } from '../parts/choice.tsx';
import { Legend } from '../parts/legend.tsx';
import { RepeatsTable } from '../parts/repeats-table.tsx';
import { Time } from '../parts/time.tsx';
import { clockText, dayText, zoneText } from '../zone-time.ts';
import { BarChart, Share } from './bar-chart.tsx';
import { ReportFrame } from './report-frame.tsx';
import { loopId, RunFacts, RunSection } from './run-section.tsx';

const ABOUT =
  'Made by Unrut. This page loads nothing and sends nothing. Recognized secrets are masked. Cached tokens are not counted.';

/** The page of a scan: the finding, its source, and every loop with its evidence. */
export function ScanPage(data: ScanPageData): JSX.Element {
  const { title, madeAt, totals, lead, charts, runs, further, calm, problems, left } = data;
  const worst = worstIn(runs);
  const facts = [
    `${counted(totals.trajectories, 'run')} in ${counted(totals.files, 'file')}`,
    madeAt !== undefined && (
      <Time
        at={madeAt}
        words={`${dayText(madeAt)} ${clockText(madeAt).slice(0, 5)} ${zoneText()}`}
      />
    ),
  ].filter(Boolean);
  return (
    <ReportFrame title={title} facts={facts} about={ABOUT}>
      <h1>{headline(totals)}</h1>
      {worst && <Worst {...worst} isAlone={runs.length === 1 && worst.run.shown.length === 1} />}
      <p class="lead">{lead}</p>
      {totals.wastedSteps > 0 && (
        <>
          <Share part={totals.wastedSteps / Math.max(1, totals.steps)} />
          <p class="note">
            A loop is a series of steps that repeats without new information. Its first lap is not
            counted; every step after it is wasted. These runs were recorded: the report shows what
            Unrut would have done at that step of a live run.
          </p>
        </>
      )}
      {runs.length > 0 && <Runs runs={runs} />}
      {charts.length > 0 && (
        <section class="charts" aria-label="Overview">
          {charts.map((chart) => (
            <BarChart key={chart.title} {...chart} />
          ))}
        </section>
      )}
      <RunList
        title="More runs with loops"
        note={`Only the ${counted(runs.length, 'worst run')} above are shown in full. --json has all of them.`}
        runs={further}
        left={left.further}
      />
      <RunList title="Runs without loops" runs={calm} left={left.calm} />
      {problems.length > 0 && (
        <section aria-labelledby="problems">
          <h2 id="problems">What could not be read</h2>
          <ul class="problems">
            {problems.map(({ file, message }, i) => (
              <li key={i}>
                <code>{file}</code> {message}
              </li>
            ))}
          </ul>
          {left.problems > 0 && <p class="note">and {counted(left.problems, 'more problem')}</p>}
        </section>
      )}
    </ReportFrame>
  );
}

interface LoopOfRun {
  run: ReportRun;
  loop: ReportLoop;
}

/** The most frequent loop: the sentence, its place, and its repeats, unless they follow anyway. */
const Worst = ({ run, loop, isAlone }: LoopOfRun & { isAlone: boolean }): JSX.Element => (
  <>
    <p class="lead">
      Worst: <a href={`#${loopId(run, loop)}`}>{loop.text.replace(/\.$/, '')}</a>, in{' '}
      {runTitle(run)}.
    </p>
    {!isAlone && loop.repeats.length > 1 && (
      <RepeatsTable
        name="Worst loop"
        repeats={loop.repeats}
        count={Math.max(loop.count, loop.repeats.length)}
      />
    )}
  </>
);

/** The loop that wasted most. */
function worstIn(runs: readonly ReportRun[]): LoopOfRun | undefined {
  const [worst] = runs
    .flatMap((run) => run.shown.map((loop) => ({ run, loop })))
    .filter(({ loop }) => !loop.advice)
    .sort((one, other) => other.loop.wastedSteps - one.loop.wastedSteps);
  return worst;
}

const SORTS = {
  wasted: 'most wasted steps',
  share: 'largest wasted share',
  loops: 'most loops',
  steps: 'longest',
  from: 'newest',
  place: 'order of the files',
} as const;

const ORDER: Record<Exclude<keyof typeof SORTS, 'wasted'>, (run: ReportRun) => number> = {
  share: ({ wastedSteps, steps }) => -wastedSteps / Math.max(1, steps),
  loops: ({ loops }) => -loops,
  steps: ({ steps }) => -steps,
  from: ({ from = 0 }) => -from,
  place: ({ place }) => place,
};

/** Runs with loops, with tools to find them. */
function Runs({ runs }: { runs: ReportRun[] }): JSX.Element {
  const [sought, seek] = useState('');
  const [sort, setSort] = useState<keyof typeof SORTS>('wasted');
  const [isUnfolded, unfold] = useState(false);
  const names = useMemo(
    () => runs.flatMap((run) => run.shown.map((loop) => loopId(run, loop))),
    [runs],
  );
  const [open, setOpen] = useState<ReadonlySet<string>>(
    () => new Set(runs.slice(0, 3).map((run) => loopId(run, run.shown[0]!))),
  );
  const words = useMemo(
    () => new Map(runs.map((run) => [run, JSON.stringify(run).toLowerCase()])),
    [runs],
  );
  const wanted = sought.toLowerCase().split(/\s+/).filter(Boolean);
  const found = runs.filter((run) => wanted.every((word) => words.get(run)!.includes(word)));
  const sorted =
    sort === 'wasted'
      ? found
      : found.toSorted((one, other) => ORDER[sort](one) - ORDER[sort](other));
  const shown = isUnfolded || wanted.length > 0 ? sorted : sorted.slice(0, MAX.unfolded);
  const toggle = (name: string, isOpen: boolean): void =>
    setOpen(
      (before) => new Set(isOpen ? [...before, name] : [...before].filter((each) => each !== name)),
    );
  useAddress((name) => {
    seek('');
    unfold(true);
    if (names.includes(name)) toggle(name, true);
  });
  const isAllOpen = open.size === names.length;
  return (
    <section aria-labelledby="runs">
      <h2 id="runs">Runs with loops</h2>
      <search class="tools">
        <label>
          Find{' '}
          <input
            type="search"
            autocomplete="off"
            spellcheck={false}
            value={sought}
            onInput={(event) => seek(event.currentTarget.value)}
          />
        </label>
        <Choice
          label="Sort by"
          of={Object.entries(SORTS)}
          value={sort}
          onChoose={(value) => setSort(value as keyof typeof SORTS)}
        />
        <button type="button" onClick={() => setOpen(new Set(isAllOpen ? [] : names))}>
          {isAllOpen ? 'Close all loops' : 'Open all loops'}
        </button>
        <p role="status">
          {wanted.length === 0
            ? ''
            : found.length === 0
              ? 'No run matches.'
              : `${counted(found.length, 'run')} found`}
        </p>
      </search>
      <Legend />
      {shown.map((run) => (
        <RunSection key={run.place} run={run} open={open} onToggle={toggle} />
      ))}
      {shown.length < sorted.length && (
        <button type="button" onClick={() => unfold(true)}>
          Show {counted(sorted.length - shown.length, 'more run')} with loops
        </button>
      )}
    </section>
  );
}

/** Shows what the address names, now and whenever it changes. */
function useAddress(show: (name: string) => void): void {
  useEffect(() => {
    const reveal = (): void => {
      const name = location.hash.slice(1);
      if (!name.startsWith('run-')) return;
      show(name);
      requestAnimationFrame(() => document.getElementById(name)?.scrollIntoView());
    };
    reveal();
    addEventListener('hashchange', reveal);
    return () => removeEventListener('hashchange', reveal);
  }, []);
}

interface RunListProps {
  title: string;
  note?: string;
  runs: readonly RunBrief[];
  left: number;
}

/** Runs in short: one line each. */
const RunList = ({ title, note, runs, left }: RunListProps): JSX.Element | null =>
  runs.length === 0 ? null : (
    <section aria-label={title}>
      <h2>{title}</h2>
      {note !== undefined && <p class="note">{note}</p>}
      <ul class="briefs">
        {runs.map((run) => (
          <li key={run.place} class="run" id={`run-${run.place}`}>
            <strong>{runTitle(run)}</strong>
            {run.loops > 0 &&
              ` ${counted(run.loops, 'loop')}, ${counted(run.wastedSteps, 'step')} wasted`}
            <RunFacts run={run} />
          </li>
        ))}
      </ul>
      {left > 0 && <p class="note">{counted(left, 'more run')} not listed.</p>}
    </section>
  );
