import { GROUPED } from '@unrut/ledger/insights/insights';
import { wastedText } from '@unrut/ledger/insights/insights-words';
import { number } from '@unrut/ledger/report/figures';
import type { InsightsAnswer } from '@unrut/server/api/answers';
import type { JSX } from 'preact';
import { useAnswer } from '../api/use-answer.ts';
import { choose } from '../router.tsx';
import { Choice } from './choice.tsx';
import { Share } from './loop-funnel.tsx';
import { type Column, Table } from './table.tsx';
import { nameText } from './words.ts';

type Group = InsightsAnswer['groups'][number];

const CHOICES: [string, string][] = [
  ['', 'what differs'],
  ...GROUPED.map((name): [string, string] => [name, name]),
];

/**
 * The groups that loop most (repository, team, model and others), and whether the newest release
 * loops less than the previous one. Empty if no session has an origin.
 */
export function GroupTable({
  since,
  query,
}: {
  since: string;
  query: URLSearchParams;
}): JSX.Element | null {
  const asked = query.get('by') ?? '';
  const by = GROUPED.some((name) => name === asked) ? asked : '';
  const path = `/v1/insights?since=${since}&limit=20${by === '' ? '' : `&by=${by}`}`;
  const { data } = useAnswer<InsightsAnswer>(path, { every: 5000 });
  if (!data || (by === '' && data.groups.length < 2)) return null;
  const [older, newer] = data.releases.slice(-2);
  return (
    <>
      <Table
        caption={`Loops by ${data.by}`}
        columns={columnsOf(data.by)}
        rows={data.groups}
        none="No session."
      />
      <search class="tools">
        <Choice
          label="Group by"
          of={CHOICES}
          value={by}
          onChoose={(value) => choose({ by: value })}
        />
      </search>
      {data.advice !== undefined && <p class="advice">{data.advice}</p>}
      {older && newer && <Releases since={since} a={older.release} b={newer.release} />}
    </>
  );
}

const columnsOf = (by: string): Column<Group>[] => [
  { head: by, of: ({ value }) => (value === '' ? 'not told' : nameText(value)) },
  { head: 'Sessions', of: ({ sessions }) => number(sessions), isFigure: true },
  {
    head: 'With a loop',
    of: ({ share }) => <Share rate={share} />,
    isFigure: true,
    meaning: 'The share of sessions with a loop, with its interval (95 %).',
  },
  { head: 'Wasted', of: ({ wasted }) => wastedText(wasted), isFigure: true },
];

/** Whether the newest release loops less than the one before it. */
function Releases({ since, a, b }: { since: string; a: string; b: string }): JSX.Element | null {
  const asked = new URLSearchParams({ since, compare: 'release', a, b, limit: '1' });
  const { data } = useAnswer<InsightsAnswer>(`/v1/insights?${asked}`, { every: 5000 });
  if (!data?.comparison || data.verdict === undefined) return null;
  const rows = [
    { name: a, ...data.comparison.a },
    { name: b, ...data.comparison.b },
  ];
  return (
    <>
      <Table
        caption="The newest release and the one before"
        columns={[
          { head: 'Release', of: ({ name }) => nameText(name) },
          { head: 'Sessions', of: ({ sessions }) => number(sessions), isFigure: true },
          { head: 'With a loop', of: ({ share }) => <Share rate={share} />, isFigure: true },
          { head: 'Wasted', of: ({ wasted }) => wastedText(wasted), isFigure: true },
        ]}
        rows={rows}
        none=""
      />
      <p class="note">{data.verdict}.</p>
    </>
  );
}
