import { printable } from '@unrut/engine/text/printable';
import { counted, dollars, number } from '@unrut/ledger/report/figures';
import { stallText } from '@unrut/ledger/reports/stall';
import type { SessionRow } from '@unrut/server/api/answers';
import { Component, type ComponentChildren, type JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { acknowledged, isAcknowledged } from '../preferences.ts';
import { hrefHere, hrefOf, Link } from '../router.tsx';
import { sessionName } from '../session-name.ts';
import { useStore } from '../store.ts';
import { doneText } from './deed-text.ts';
import { Prose } from './prose.tsx';
import { State } from './session-words.tsx';
import { When } from './when.tsx';
import { capital, nameText } from './words.ts';

/** A column: its sort key, if any, and its content. */
interface SessionColumn {
  head: string;
  sort?: string;
  look?: string;
  of(row: SessionRow): ComponentChildren;
}

const COLUMNS: readonly SessionColumn[] = [
  {
    head: 'State',
    sort: 'state',
    of: (row) => <State state={row.state} failing={row.failing} isSeen={isAcknowledged(row)} />,
  },
  {
    head: 'Agent',
    sort: 'agent',
    of: (row) => (
      <Link href={hrefOf('/session', { id: row.session })} title={printable(row.session)}>
        {row.host === undefined ? sessionName(row) : nameText(row.host)}
        {row.host === undefined ? '' : ' '}
        {row.host !== undefined && <code class="id">{sessionName(row)}</code>}
      </Link>
    ),
  },
  {
    head: 'Project',
    sort: 'project',
    look: 'wide',
    of: ({ folder }) => (folder === undefined ? '' : nameText(folder)),
  },
  { head: 'Since', sort: 'since', look: 'wide', of: (row) => <When at={sinceOf(row)} isShort /> },
  { head: 'Why, or what it does', look: 'reason', of: (row) => <What row={row} /> },
  { head: 'Wasted', sort: 'wasted', look: 'figure', of: (row) => <Wasted row={row} /> },
  { head: 'Last act', look: 'widest', of: (row) => <LastAct row={row} /> },
  { head: 'Last hour', look: 'widest', of: ({ pulse }) => <Sparkline pulse={pulse} /> },
];

/** The start of its state: of the loop, of running, or of its end. */
const sinceOf = ({ state, first, last, loopingSince, stall }: SessionRow): number =>
  state === 'stalled' && stall
    ? stall.since
    : state === 'looping'
      ? (loopingSince ?? first)
      : state === 'running'
        ? first
        : last;

/** Sessions that ended or fell silent in a loop keep its reason. */
function What({ row: { state, stuck, why, doing, stall } }: { row: SessionRow }): JSX.Element {
  if (state === 'stalled' && stall) return <Prose text={capital(stallText(stall, Date.now()))} />;
  const isNow = state === 'looping' || state === 'stopped';
  if (why === undefined || !(isNow || stuck)) return <code>{printable(doing ?? '')}</code>;
  return <Prose text={isNow ? capital(why) : `Was stuck: ${why}`} />;
}

function Wasted({ row: { wasted, steps } }: { row: SessionRow }): JSX.Element {
  if (wasted.steps === 0) return <span class="none">0 of {number(steps)}</span>;
  return (
    <>
      <b>{number(wasted.steps)}</b> of {number(steps)}
      {wasted.usd > 0 && <span class="money"> {dollars(wasted.usd)}</span>}
    </>
  );
}

function LastAct({ row: { lastPlan } }: { row: SessionRow }): JSX.Element {
  if (!lastPlan) return <span class="none">–</span>;
  return (
    <>
      {doneText(lastPlan.rung, lastPlan.shadow)}, <When at={lastPlan.at} />
    </>
  );
}

interface SessionTableProps {
  sessions: readonly SessionRow[];
  /** The sort key. */
  sort: string;
  /** The one that is shown next to the table. */
  open: string | null;
  onOpen(session: string): void;
}

/**
 * Sessions, a line each. A click on a line shows it next to the table; its name leads to its page.
 */
export function SessionTable({ sessions, sort, open, onOpen }: SessionTableProps): JSX.Element {
  useStore(acknowledged);
  const body = useRef<HTMLTableSectionElement>(null);
  useEffect(() => {
    body.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' });
  }, [open]);
  return (
    <table class="dense">
      <caption class="unseen">Sessions</caption>
      <thead>
        <tr>
          {COLUMNS.map(({ head, sort: by, look }) => (
            <th
              key={head}
              scope="col"
              class={look}
              aria-sort={
                by === sort
                  ? by === '' || by === 'wasted'
                    ? 'descending'
                    : 'ascending'
                  : undefined
              }
            >
              {by === undefined ? (
                head
              ) : (
                <Link href={hrefHere({ sort: by === 'state' ? undefined : by || 'last' })}>
                  {head}
                </Link>
              )}
            </th>
          ))}
        </tr>
      </thead>
      <tbody ref={body}>
        {sessions.map((row) => (
          <SessionLine
            key={row.session}
            row={row}
            isOpen={row.session === open}
            isSeen={isAcknowledged(row)}
            onOpen={onOpen}
          />
        ))}
      </tbody>
    </table>
  );
}

interface SessionLineProps {
  row: SessionRow;
  isOpen: boolean;
  isSeen: boolean;
  onOpen(session: string): void;
}

/** One line. Going from line to line changes two of them: the others are not drawn again. */
class SessionLine extends Component<SessionLineProps> {
  override shouldComponentUpdate({ row, isOpen, isSeen }: SessionLineProps): boolean {
    return row !== this.props.row || isOpen !== this.props.isOpen || isSeen !== this.props.isSeen;
  }

  override render({ row, isOpen, isSeen, onOpen }: SessionLineProps): JSX.Element {
    return (
      <tr
        class={`${row.state}${isSeen ? ' seen' : ''}`}
        aria-current={isOpen ? 'true' : undefined}
        onClick={(event) => (event.target as Element).closest('a, button') || onOpen(row.session)}
      >
        {COLUMNS.map(({ head, look, of }) => (
          <td key={head} class={look}>
            {of(row)}
          </td>
        ))}
      </tr>
    );
  }
}

const [WIDTH, HEIGHT] = [80, 18];

/**
 * How busy a session was in the last hour: steps as bars, what of them was wasted in the colour of
 * loops.
 */
function Sparkline({ pulse }: Pick<SessionRow, 'pulse'>): JSX.Element | null {
  if (!pulse) return null;
  const { steps, wasted } = pulse;
  const most = Math.max(1, ...steps);
  const wide = WIDTH / steps.length;
  const [all, lost] = [steps, wasted].map((figures) =>
    figures.reduce((sum, each) => sum + each, 0),
  ) as [number, number];
  return (
    <svg
      class="spark"
      width={WIDTH}
      height={HEIGHT}
      role="img"
      aria-label={`${counted(all, 'step')} in the last hour, ${lost} wasted`}
    >
      {steps.map((count, i) => {
        const [high, red] = [(HEIGHT * count) / most, (HEIGHT * (wasted[i] ?? 0)) / most];
        if (count === 0) return null;
        return (
          <g key={i}>
            <rect
              class="bar new"
              x={i * wide}
              y={HEIGHT - Math.max(1, high)}
              width={wide - 1}
              height={Math.max(1, high)}
            />
            {red > 0 && (
              <rect class="bar loop" x={i * wide} y={HEIGHT - red} width={wide - 1} height={red} />
            )}
          </g>
        );
      })}
    </svg>
  );
}
