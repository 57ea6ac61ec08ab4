import { counted, dollars, number, share, short } from '@unrut/ledger/report/figures';
import { clock, day } from '@unrut/ledger/report/time-text';
import type { SessionRow, StatsAnswer } from '@unrut/server/api/answers';
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { useAnswer } from '../api/use-answer.ts';
import { isKnownTime } from '../known-time.ts';
import { Answered } from '../parts/answered.tsx';
import { Choice } from '../parts/choice.tsx';
import { GroupTable } from '../parts/group-table.tsx';
import { NothingYet } from '../parts/nothing-yet.tsx';
import { PeriodChoice, periodOf } from '../parts/period.tsx';
import { titleOf } from '../parts/session-words.tsx';
import { type Column, Table } from '../parts/table.tsx';
import { useTitle } from '../parts/use-title.ts';
import { type Spent, WasteChart } from '../parts/waste-chart.tsx';
import { When } from '../parts/when.tsx';
import { capital, nameText } from '../parts/words.ts';
import { choose, hrefOf, Link } from '../router.tsx';
import { sessionName } from '../session-name.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** The measures, with their labels and formats. */
const MEASURES = {
  steps: {
    words: 'steps',
    all: 'All steps',
    figure: number,
    counted: (value: number) => counted(value, 'step'),
  },
  tokens: {
    words: 'tokens',
    all: 'All tokens',
    figure: short,
    counted: (value: number) => `${short(value)} tokens`,
  },
  usd: { words: 'money', all: 'Spent', figure: dollars, counted: dollars },
} as const;

type Measure = keyof typeof MEASURES;

const MEASURE_NAMES = Object.entries(MEASURES).map(([measure, { words }]): [string, string] => [
  measure,
  words,
]);

/** The cost of loops: steps, tokens and money, over time, by agent and by session. */
export function CostPage({ query }: { query: URLSearchParams }): JSX.Element {
  useTitle('Cost');
  const { since, words } = periodOf(query);
  const asked = query.get('what') as Measure;
  const chosen = Object.hasOwn(MEASURES, asked) ? asked : undefined;
  const by = since === '24h' ? 'hour' : 'day';
  const answer = useAnswer<StatsAnswer>(
    `/v1/stats?since=${since}&by=${by}${chosen ? `&costliest=${chosen}` : ''}`,
    { every: 5000 },
  );
  return (
    <>
      <h1>What loops cost</h1>
      <Answered answer={answer}>
        {(stats) => {
          const measure = chosen ?? usualMeasure(stats);
          return (
            <>
              <p class="lead">{summaryOf(stats, words)}</p>
              <Worst stats={stats} measure={measure} />
              <search class="tools">
                <PeriodChoice since={since} />
                <Choice
                  label="Count"
                  of={MEASURE_NAMES}
                  value={measure}
                  onChoose={(what) => choose({ what })}
                />
              </search>
              {stats.steps === 0 ? (
                <NothingYet />
              ) : (
                <>
                  <GroupTable since={since} query={query} />
                  <Costs stats={stats} measure={measure} />
                </>
              )}
            </>
          );
        }}
      </Answered>
    </>
  );
}

function summaryOf({ steps, wasted, tokens, usd }: StatsAnswer, period: string): string {
  if (steps === 0) return `In ${period} nothing was recorded.`;
  const spent = [
    tokens > 0 && `${short(wasted.tokens)} of ${short(tokens)} tokens`,
    usd > 0 && `${dollars(wasted.usd)} of ${dollars(usd)}`,
  ].filter(Boolean);
  const cost =
    spent.length === 0
      ? ' No agent reported what its steps cost.'
      : ` They cost ${spent.join(' and ')}.`;
  return `In ${period} ${number(wasted.steps)} of ${counted(steps, 'step')} (${share(wasted.steps, steps)}) repeated earlier steps without new information.${cost}`;
}

/** Money, if agents report it. */
const usualMeasure = ({ wasted }: StatsAnswer): Measure => (wasted.usd > 0 ? 'usd' : 'steps');

/** Min share of all waste for a session to be named. */
const WORTH_NAMING = 0.1;

/** Where to begin. */
function Worst({
  stats: { costliest, wasted },
  measure,
}: {
  stats: StatsAnswer;
  measure: Measure;
}): JSX.Element | null {
  const [worst] = costliest;
  if (!worst || worst.wasted[measure] === 0) return null;
  if (worst.wasted[measure] < WORTH_NAMING * wasted[measure]) return null;
  return (
    <p class="advice">
      Look at <Link href={hrefOf('/session', { id: worst.session })}>{titleOf(worst)}</Link> first:
      it alone wasted {MEASURES[measure].counted(worst.wasted[measure])} (
      {share(worst.wasted[measure], wasted[measure])} of all waste).
    </p>
  );
}

function Costs({ stats, measure }: { stats: StatsAnswer; measure: Measure }): JSX.Element {
  const { words, all: head, figure } = MEASURES[measure];
  const { time, by } = stats;
  const rows = useMemo(
    () =>
      time.map(
        (each): Spent => ({ at: each.at, all: each[measure], wasted: each.wasted[measure] }),
      ),
    [time, measure],
  );
  const drawn = useMemo(
    () => rows.filter(({ at }) => isKnownTime(at) && at <= Date.now() + DAY),
    [rows],
  );
  const moment = (at: number): string =>
    !isKnownTime(at) ? 'no time' : by === 'day' ? dayOf(at) : hourOf(at);
  const atAxis = (at: number): string => (by === 'day' ? dayOf(at).slice(5) : moment(at));
  const tell = ({ at, all, wasted }: Spent): string =>
    `${moment(at)}: ${figure(wasted)} of ${figure(all)} wasted (${share(wasted, all)})`;
  const figures = <T,>(of: (row: T) => { all: number; wasted: number }): Column<T>[] => [
    { head, of: (row) => figure(of(row).all), isFigure: true },
    { head: 'Wasted', of: (row) => figure(of(row).wasted), isFigure: true },
    { head: 'Share', of: (row) => share(of(row).wasted, of(row).all), isFigure: true },
  ];
  const ofSession = (row: SessionRow) => ({ all: row[measure], wasted: row.wasted[measure] });
  return (
    <>
      <WasteChart
        title={`Wasted ${words} by ${by}`}
        rows={drawn}
        tell={tell}
        figure={figure}
        moment={atAxis}
        length={by === 'day' ? DAY : HOUR}
      />
      {drawn.length < rows.length && (
        <p class="note">
          Some steps were recorded by clocks that are far ahead, or with no time at all. They are in
          the table, not in the chart.
        </p>
      )}
      <details>
        <summary>The same as a table</summary>
        <Table
          caption={`By ${by}`}
          columns={[
            { head: capital(by), of: ({ at }) => moment(at) },
            ...figures((row: Spent) => row),
          ]}
          rows={rows}
          none=""
        />
      </details>
      <Table
        caption="By agent"
        columns={[
          {
            head: 'Agent',
            of: ({ host }) => nameText(host) || 'no name given (client or telemetry)',
          },
          { head: 'Sessions', of: ({ sessions }) => number(sessions), isFigure: true },
          {
            head: 'With loops',
            of: ({ looping }) => number(looping),
            isFigure: true,
            isMinor: true,
          },
          ...figures((row: StatsAnswer['hosts'][number]) => ({
            all: row[measure],
            wasted: row.wasted[measure],
          })),
        ]}
        rows={stats.hosts.toSorted((one, other) => other.wasted[measure] - one.wasted[measure])}
        none=""
      />
      <Table
        caption="Sessions that wasted most"
        columns={[
          { head: 'Session', of: (row) => <Named row={row} /> },
          { head: 'When', of: ({ last }) => <When at={last} /> },
          { head: 'Loops', of: ({ loops }) => number(loops), isFigure: true, isMinor: true },
          ...figures(ofSession),
        ]}
        rows={stats.costliest.filter(({ wasted }) => wasted[measure] > 0)}
        none="No session wasted a step."
      />
      <p class="note">
        The first lap of a loop is not counted; every step after it is wasted. Tokens and money are
        those that agents report; what is read from a cache is not counted. Days are those of UTC.
      </p>
    </>
  );
}

/**
 * A session's title, with its name if the title is ambiguous: an agent has many sessions in one
 * project.
 */
function Named({ row }: { row: SessionRow }): JSX.Element {
  const [title, name] = [titleOf(row), sessionName(row)];
  return (
    <>
      <Link href={hrefOf('/session', { id: row.session })}>{title}</Link>{' '}
      {title !== name && <code class="note">{name}</code>}
    </>
  );
}

const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);

/** With its day, if that is ambiguous. */
const hourOf = (at: number): string =>
  Math.abs(Date.now() - at) < 2 * DAY
    ? clock(at).slice(0, 5)
    : `${day(at)} ${clock(at).slice(0, 5)}`;
