import type { RecoveryRow } from '@unrut/engine/outcome/learned-from';
import { addUp, noPlans } from '@unrut/ledger/figures/hour-figures';
import { counted, number, share } from '@unrut/ledger/report/figures';
import { endedRate, rateOf } from '@unrut/ledger/report/rate';
import { DEEDS } from '@unrut/ledger/report/rung-words';
import type { Rate } from '@unrut/ledger/report/scan-report';
import type { LoopFigures } from '@unrut/ledger/reports/reports';
import type { RecoveryFigures } from '@unrut/ledger/reports/stats';
import type { Acted, PlanFigures, PlanRow, RecoveriesAnswer } from '@unrut/server/api/answers';
import type { JSX } from 'preact';
import { useAnswer } from '../api/use-answer.ts';
import { Answered } from '../parts/answered.tsx';
import { Choice } from '../parts/choice.tsx';
import { doneText } from '../parts/deed-text.ts';
import { LoopFunnel, Share } from '../parts/loop-funnel.tsx';
import { NothingYet } from '../parts/nothing-yet.tsx';
import { PeriodChoice, periodOf } from '../parts/period.tsx';
import { outcomeText } from '../parts/session-words.tsx';
import { type Column, Table } from '../parts/table.tsx';
import { TrialCard } from '../parts/trial-card.tsx';
import { useTitle } from '../parts/use-title.ts';
import { When } from '../parts/when.tsx';
import { capital, nameText, times } from '../parts/words.ts';
import { Worked } from '../parts/worked.tsx';
import { choose, hrefOf, Link } from '../router.tsx';
import { sessionName } from '../session-name.ts';

/** The actions on loops, and their success: by action, tool and failure. */
export function RecoveriesPage({ query }: { query: URLSearchParams }): JSX.Element {
  useTitle('Recoveries');
  const { since, words } = periodOf(query);
  const order = orderOf(query);
  const answer = useAnswer<RecoveriesAnswer>(`/v1/recoveries?since=${since}&limit=10`, {
    concerns: ({ kind }) => kind === 'plan' || kind === 'outcome',
    every: 3000,
  });
  return (
    <>
      <h1>What gets agents out of loops</h1>
      <Answered answer={answer}>
        {({ loops, acted, recoveries, tools, detectors, failures, latest }) => (
          <>
            <p class="lead">{leadOf(loops.all, acted, recoveries, words)}</p>
            <TrialCard />
            {isOfLittleHelp(loops.all) && (
              <p class="advice">
                Most loops never end. See below at which tool, and give the agents what is missing
                there.
              </p>
            )}
            <search class="tools">
              <PeriodChoice since={since} />
              <Choice
                label="Sort by"
                of={ORDER_NAMES}
                value={order}
                onChoose={(value) => choose({ sort: value === 'used' ? '' : value })}
              />
            </search>
            {recoveries.length === 0 ? (
              <NothingYet />
            ) : (
              <>
                <LoopFunnel figures={loops.all} />
                <Folded
                  caption="What was done"
                  columns={withUsed(recoveries)}
                  rows={recoveries
                    .map((row) => ({ ...row, ended: endedAt(loops.recoveries, row) }))
                    .toSorted(ORDERS[order].by)}
                />
                <Folded
                  caption="By what was seen"
                  columns={BY_DETECTOR}
                  rows={detectors
                    .map((row) => ({
                      ...row,
                      ended: loops.detectors.find(({ detector }) => detector === row.detector),
                    }))
                    .toSorted(ORDERS[order].by)}
                />
                <Folded
                  caption="By tool"
                  columns={BY_TOOL}
                  rows={byTool(tools).toSorted(ORDERS[order].by)}
                />
                <Table
                  caption="Next moves after failures"
                  columns={BY_FAILURE}
                  rows={failures}
                  none={NO_FAILURE}
                />
                <Table caption="The latest" columns={LATEST} rows={latest} none="" />
                <p class="note">{INTERVAL}</p>
              </>
            )}
          </>
        )}
      </Answered>
    </>
  );
}

const INTERVAL =
  'The share of loops that ended after it, where it was the last thing that was done; the interval (95 %) says how far chance alone may be off. Loops of one session are alike, and count for little more than one.';

/** Plans, and the loops in which they were the last thing that was done. */
type Tried = PlanFigures & { ended?: LoopFigures | undefined };

const triedOf = ({ plans, shadow }: PlanFigures): number => plans - shadow;
const rateIn = ({ ended }: Tried): Rate => (ended ? endedRate(ended) : rateOf(0, 0));

const endedAt = (
  rows: RecoveriesAnswer['loops']['recoveries'],
  { recovery, rung }: Pick<RecoveryFigures, 'recovery' | 'rung'>,
): LoopFigures | undefined => rows.find((row) => row.recovery === recovery && row.rung === rung);

type Compare = (one: Tried, other: Tried) => number;
/**
 * Sort orders of rows. Success counts by the lower end of its interval, so that rare cases do not
 * come first.
 */
const ORDERS = {
  used: { words: 'most used', by: ((one, other) => triedOf(other) - triedOf(one)) as Compare },
  best: {
    words: 'works best',
    by: ((one, other) => rateIn(other).low - rateIn(one).low) as Compare,
  },
  worst: {
    words: 'works least',
    by: ((one, other) => rateIn(one).high - rateIn(other).high) as Compare,
  },
} as const;
type Order = keyof typeof ORDERS;

const orderOf = (query: URLSearchParams): Order => {
  const asked = query.get('sort') ?? '';
  return Object.hasOwn(ORDERS, asked) ? (asked as Order) : 'used';
};

const ORDER_NAMES = Object.entries(ORDERS).map(([order, { words }]): [string, string] => [
  order,
  words,
]);

/** Fewer cases say little. */
const SELDOM = 3;

/** A table whose rows with few cases are folded, if there are many. */
function Folded<T extends PlanFigures>({
  caption,
  columns,
  rows,
}: {
  caption: string;
  columns: Column<T>[];
  rows: readonly T[];
}): JSX.Element {
  const seldom = rows.filter((row) => triedOf(row) < SELDOM);
  const often = rows.filter((row) => triedOf(row) >= SELDOM);
  if (seldom.length < SELDOM || often.length === 0)
    return <Table caption={caption} columns={columns} rows={rows} none="Nothing." />;
  return (
    <>
      <Table caption={caption} columns={columns} rows={often} none="" />
      <details class="seldom">
        <summary>
          {number(seldom.length)} more, each tried fewer than {SELDOM} times
        </summary>
        <Table caption={`${caption}: seldom`} level={3} columns={columns} rows={seldom} none="" />
      </details>
    </>
  );
}

type ByTool = PlanFigures & { tool: string; recoveries: string[] };

/** One row for each tool, with all that was done there. */
function byTool(rows: RecoveriesAnswer['tools']): ByTool[] {
  return [...Map.groupBy(rows, ({ tool }) => tool)].map(([tool, group]) => ({
    ...group.reduce((sum: PlanFigures, row) => addUp(sum, row), noPlans()),
    tool,
    recoveries: group.map(({ recovery, plans, shadow }) => `${recovery} ${number(plans - shadow)}`),
  }));
}

const NO_FAILURE = 'No failure of a known kind was seen for which a next move could be offered.';

/** Enough is known to say that it rarely helps. */
const isOfLittleHelp = (loops: LoopFigures): boolean =>
  loops.effective >= 10 && endedRate(loops).high < 0.5;

function leadOf(
  loops: LoopFigures,
  { plans }: Acted,
  rows: readonly RecoveryFigures[],
  period: string,
): string {
  const recorded = rows.reduce((sum, { shadow }) => sum + shadow, 0);
  const only =
    recorded === 0
      ? ''
      : ` ${number(recorded)} more ${recorded === 1 ? 'plan was' : 'plans were'} only recorded.`;
  if (plans === 0 && recorded === 0)
    return `In ${period} Unrut did not intervene: no loop was recorded.`;
  if (plans === 0)
    return `In ${period} Unrut did nothing; it only recorded what it would have done (${times(recorded)}).`;
  const { open, never, itself, stop } = loops.endings;
  const over = loops.loops - open;
  const freed = over - never - stop;
  const ends = [
    `${number(freed)} ended with the agent back at work${itself > 0 ? ` (${number(itself)} without any help)` : ''}`,
    stop > 0 && `${number(stop)} ended when Unrut stopped the run`,
    never > 0 && `${number(never)} never ended`,
  ].filter(Boolean);
  const went =
    over === 0
      ? 'No loop is over yet.'
      : `Of ${counted(over, 'loop')} that ${over === 1 ? 'is' : 'are'} over, ${ends.join(', ')}.`;
  return `In ${period} Unrut intervened ${times(plans)}. ${went}${only} It starts gently and escalates only if the loop continues.`;
}

/** An internal name, below its label. */
const below = (name: string): JSX.Element => (
  <>
    <br />
    <code class="note">{name}</code>
  </>
);

/** How often it was really done, and its outcome. */
const OUTCOME: Column<PlanFigures>[] = [
  { head: 'Tried', of: ({ plans, shadow }) => number(plans - shadow), isFigure: true },
  {
    head: 'Outcome',
    of: (row) =>
      triedOf(row) > 0 ? (
        <Worked counts={row} tried={triedOf(row)} />
      ) : (
        <span class="note">only recorded, nothing was done</span>
      ),
  },
];
const TRIED: Column<Tried>[] = [
  ...OUTCOME,
  { head: 'Loops ended', of: (row) => <Rated row={row} />, isFigure: true, meaning: INTERVAL },
];

const Rated = ({ row }: { row: Tried }): JSX.Element =>
  row.ended && row.ended.loops > row.ended.endings.open ? (
    <Share rate={endedRate(row.ended)} />
  ) : (
    <span class="note">–</span>
  );

const BY_RECOVERY: Column<RecoveryFigures & Tried>[] = [
  {
    head: 'What Unrut does',
    of: ({ rung, recovery }) => (
      <>
        {capital(DEEDS[rung].does)}
        {below(recovery)}
      </>
    ),
  },
  ...TRIED,
];

const ONLY_RECORDED = 'Planned in shadow mode, in which nothing is done.';
const NOT_POSSIBLE = 'The agent’s program could do nothing, or only less.';

/** Adds columns for shadow plans and failed ones, if there are any. */
const withUsed = (rows: readonly RecoveryFigures[]): Column<RecoveryFigures & Tried>[] => [
  ...BY_RECOVERY,
  ...(rows.some(({ shadow }) => shadow > 0)
    ? [
        {
          head: 'Only recorded',
          of: ({ shadow }: RecoveryFigures) => number(shadow),
          isFigure: true,
          meaning: ONLY_RECORDED,
        },
      ]
    : []),
  ...(rows.some(({ notPerformed }) => notPerformed > 0)
    ? [
        {
          head: 'Not possible',
          of: ({ notPerformed }: RecoveryFigures) => number(notPerformed),
          isFigure: true,
          meaning: NOT_POSSIBLE,
        },
      ]
    : []),
];

const BY_TOOL: Column<ByTool>[] = [
  {
    head: 'Tool',
    of: ({ tool, recoveries }) => (
      <>
        {tool === '' ? 'no tool: a message, a thought or a task' : <code>{nameText(tool)}</code>}
        <br />
        <span class="note">{recoveries.join(', ')}</span>
      </>
    ),
  },
  ...OUTCOME,
];

const BY_DETECTOR: Column<RecoveriesAnswer['detectors'][number] & Tried>[] = [
  {
    head: 'What was seen',
    of: ({ detector }) =>
      detector === 'failure' ? (
        'a failure'
      ) : (
        <Link href={`${hrefOf('/detectors')}#${detector}`}>{detector}</Link>
      ),
  },
  ...TRIED,
];

const BY_FAILURE: Column<RecoveryRow>[] = [
  { head: 'Failure', of: ({ failure }) => <code>{nameText(failure)}</code> },
  { head: 'Next move that was offered', of: ({ move }) => <code>{nameText(move)}</code> },
  { head: 'Offered', of: ({ offered }) => number(offered), isFigure: true, isMinor: true },
  {
    head: 'Followed',
    of: ({ followed }) => number(followed),
    isFigure: true,
    meaning: 'It was what the agent did next.',
  },
  {
    head: 'Ended well',
    of: ({ followed, recovered }) =>
      followed === 0 ? '–' : `${number(recovered)} (${share(recovered, followed)})`,
    isFigure: true,
  },
];

const LATEST: Column<PlanRow>[] = [
  {
    head: 'What Unrut did, and why',
    of: ({ rung, shadow, tool, reason }) => (
      <>
        {capital(doneText(rung, shadow))}
        {below([tool && nameText(tool), reason].filter(Boolean).join(' · '))}
      </>
    ),
  },
  { head: 'When', of: ({ at }) => <When at={at} /> },
  {
    head: 'Where',
    of: ({ session, step, agent }) => (
      <Link
        href={hrefOf('/session', { id: session, step, agent })}
      >{`${sessionName({ session, name: session.slice(0, 8) })}, step ${number(step)}`}</Link>
    ),
  },
  {
    head: 'Outcome',
    of: ({ outcome, shadow }) =>
      outcome === undefined ? 'not known yet' : outcomeText(outcome, shadow),
  },
];
