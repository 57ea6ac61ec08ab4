import { counted, dollars, number, share, short } from '@unrut/ledger/report/figures';
import type { ReportLoop, ReportRun, RunBrief } from '@unrut/ledger/report/html/scan-page';
import { momentOf } from '@unrut/ledger/report/html/scan-timeline';
import { duration } from '@unrut/ledger/report/html/times';
import { middleCut, runTitle } from '@unrut/ledger/report/scan-names';
import type { ComponentChildren, JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import type { Act } from '../loop-words.ts';
import { Command, Copy } from '../parts/copy.tsx';
import { Facts } from '../parts/facts.tsx';
import { LoopDetails, type LoopShown } from '../parts/loop-details.tsx';
import { Time } from '../parts/time.tsx';
import { Timeline } from '../parts/timeline.tsx';
import { clockText, dayText } from '../zone-time.ts';

interface RunProps {
  run: ReportRun;
  /** The names of the loops that are open. */
  open: ReadonlySet<string>;
  onToggle(loop: string, isOpen: boolean): void;
}

/** The name of a loop in addresses: stable as long as the same files are scanned. */
export const loopId = (run: Pick<RunBrief, 'place'>, loop: { place: number }): string =>
  `run-${run.place}-loop-${loop.place}`;

/** One run: its facts, its timeline, and its loops. */
export function RunSection({ run, open, onToggle }: RunProps): JSX.Element {
  const id = `run-${run.place}`;
  const loops = useMemo(() => run.shown.map((loop) => shownLoop(run, loop)), [run]);
  const tell = useMemo(() => teller(run), [run]);
  const left = run.loops - run.shown.length;
  const choose = (moment: number): void => {
    const at = loops.findIndex(
      ({ bursts: [burst] }) => burst!.place.start <= moment && moment <= burst!.place.end,
    );
    if (at >= 0) location.hash = loopId(run, run.shown[at]!);
  };
  return (
    <article class="run" id={id} aria-labelledby={`${id}-title`}>
      <h3 id={`${id}-title`}>
        <a href={`#${id}`}>{runTitle(run)}</a>
      </h3>
      <Verdict run={run} />
      <RunFacts run={run} />
      <Timeline
        letters={run.letters}
        acts={run.acts}
        seconds={[]}
        first={0}
        loops={loops}
        here={null}
        tell={tell}
        onChoose={choose}
      />
      {run.size > 1 && (
        <p class="note">
          Each moment covers {number(run.size)} steps and shows their most common kind.
        </p>
      )}
      {run.shown.map((loop, i) => (
        <LoopDetails
          key={loop.place}
          id={loopId(run, loop)}
          loop={loops[i]!}
          place={loop.place}
          level={4}
          isOpen={open.has(loopId(run, loop))}
          onToggle={(isOpen) => onToggle(loopId(run, loop), isOpen)}
        >
          <Copy
            text={() => loop.issue}
            name="Copy as issue"
            of={`loop ${loop.place} of run ${run.place}`}
          />
          <a class="button small" href={`#${loopId(run, loop)}`}>
            Link
            <span class="unseen">
              {' '}
              to loop {loop.place} of run {run.place}
            </span>
          </a>
          <span class="why-command">
            Why? <Command text={loop.explain} />
          </span>
        </LoopDetails>
      ))}
      {left > 0 && (
        <p class="note">
          {counted(left, 'more loop')} of this run not shown: the cheapest ones. <code>--json</code>{' '}
          has them all.
        </p>
      )}
    </article>
  );
}

/** Describes a moment: the step, and its action if a loop contains it. */
function teller(run: ReportRun): (moment: number) => string {
  const words = new Map<number, string>();
  for (const { repeats } of run.size > 1 ? [] : run.shown)
    for (const { step, what, brought } of repeats)
      words.set(momentOf(step, run), `Step ${number(step)}: ${what} ${brought}`);
  return (moment) => words.get(moment) ?? '';
}

function Verdict({ run }: { run: ReportRun }): JSX.Element {
  if (!run.isLooping) return <p class="verdict">advice only</p>;
  const usd =
    run.wastedUsd !== undefined &&
    run.usd !== undefined &&
    `, ${dollars(run.wastedUsd)} of ${dollars(run.usd)}`;
  return (
    <p class="verdict">
      <strong>{share(run.wastedSteps, run.steps)}</strong> wasted:{' '}
      {counted(run.wastedSteps, 'step')}
      {run.wastedTokens !== undefined && `, ${short(run.wastedTokens)} tokens`}
      {usd}
    </p>
  );
}

/** Short facts about a run. */
export function RunFacts({ run }: { run: RunBrief }): JSX.Element {
  const { from, to, tokens, usd, skipped } = run;
  const facts: ComponentChildren[] = [
    `run ${number(run.place)}`,
    run.file !== run.id && <code>{middleCut(run.file, 120)}</code>,
    run.format,
    run.model !== undefined && middleCut(run.model, 60),
    run.repository !== undefined && middleCut(run.repository, 60),
    counted(run.steps, 'step'),
    from !== undefined && to !== undefined && to > from && duration(to - from),
    tokens !== undefined && `${short(tokens)} tokens`,
    usd !== undefined && dollars(usd),
    from !== undefined && (
      <Time at={from} words={`${dayText(from)} ${clockText(from).slice(0, 5)}`} />
    ),
    skipped > 0 && `${number(skipped)} unusable ${skipped === 1 ? 'line' : 'lines'}`,
  ];
  return <Facts of={facts} />;
}

/** A loop of a scan as the dashboard shows the loops of a session. */
function shownLoop(run: ReportRun, loop: ReportLoop): LoopShown {
  const {
    advice,
    start,
    firedAt,
    end,
    wastedSteps,
    wastedTokens = 0,
    wastedUsd = 0,
    count,
    repeats,
  } = loop;
  const wasted = { steps: wastedSteps, tokens: wastedTokens, usd: wastedUsd };
  const place = {
    start: momentOf(start, run),
    noticed: momentOf(firedAt, run),
    end: momentOf(end, run),
  };
  return {
    detector: loop.detector,
    also: loop.also,
    strength: loop.strength,
    text: loop.text,
    repeats,
    wasted,
    firedAt,
    since: start,
    last: end,
    isAdvice: advice,
    isOpen: false,
    repeated: count,
    acts: actsOf(loop.plans),
    bursts: [{ since: start, firedAt, last: end, count, wasted, place }],
  };
}

/** Plans of one kind are one line. */
const actsOf = (plans: ReportLoop['plans']): Act[] =>
  [...Map.groupBy(plans, ({ rung, recovery }) => `${rung} ${recovery}`).values()].map((group) => {
    const [first, last] = [group[0]!, group.at(-1)!];
    const { rung, recovery, toHuman } = last;
    const toModel = last.toModel.replace(CANDIDATES, '').trim();
    return {
      rung,
      recovery,
      toModel,
      toHuman,
      shadow: true,
      times: group.length,
      first: first.step,
      last: last.step,
      notPerformed: 0,
    };
  });

/** Candidates with their scores are for the model. */
const CANDIDATES = /\s*Ranked recovery candidates:[\s\S]*$/;
