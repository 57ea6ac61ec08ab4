import { counted, number } from '@unrut/ledger/report/figures';
import type { SessionRow, SessionsAnswer } from '@unrut/server/api/answers';
import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import { useAnswer } from '../api/use-answer.ts';
import { Answered } from '../parts/answered.tsx';
import { Choice } from '../parts/choice.tsx';
import { ConnectAgent } from '../parts/connect-agent.tsx';
import { IncidentList } from '../parts/incident-list.tsx';
import { SessionPane } from '../parts/session-pane.tsx';
import { SessionTable } from '../parts/session-table.tsx';
import { titleOf } from '../parts/session-words.tsx';
import { useKeys } from '../parts/use-keys.ts';
import { useTitle } from '../parts/use-title.ts';
import { nameText } from '../parts/words.ts';
import { acknowledged, isAcknowledged } from '../preferences.ts';
import { choose, go, hrefHere, hrefOf, Link } from '../router.tsx';
import { needsHuman } from '../session-advice.ts';
import { useStore } from '../store.ts';

/** Lines that are shown at first, and how many more each time. */
const SHOWN = 50;
const MAX_SHOWN = 1000;
const FILTERS = ['state', 'host', 'folder', 'loops', 'incident', 'search'] as const;
const STATES: readonly [SessionRow['state'], string][] = [
  ['looping', 'Stuck'],
  ['stalled', 'Stalled'],
  ['stopped', 'Stopped'],
  ['running', 'Running, not stuck'],
  ['silent', 'Silent'],
  ['ended', 'Ended'],
];

/**
 * Current activity: looping agents with reasons, and all sessions in a table. Filters are in the
 * address.
 */
export function NowPage({ query }: { query: URLSearchParams }): JSX.Element {
  const find = useRef<HTMLInputElement>(null);
  const sort = query.get('sort') ?? 'state';
  const limit = Math.min(MAX_SHOWN, Math.max(SHOWN, Number(query.get('limit')) || SHOWN));
  const asked = new URLSearchParams({ limit: String(limit), ...(sort === 'last' ? {} : { sort }) });
  for (const name of FILTERS) if (query.get(name)) asked.set(name, query.get(name)!);
  const answer = useAnswer<SessionsAnswer>(`/v1/sessions?${asked}`);
  const open = query.get('open');
  const sessions = answer.data?.sessions ?? [];
  const headline = answer.data ? headlineOf(answer.data) : 'Now';
  useTitle(headline);
  const move = (by: number): void => {
    const at = sessions.findIndex(({ session }) => session === open);
    const next = sessions[at < 0 ? 0 : Math.max(0, Math.min(sessions.length - 1, at + by))];
    if (next) choose({ open: next.session });
  };
  useKeys({
    j: () => move(1),
    k: () => move(-1),
    '/': () => find.current?.focus(),
    Enter: () => open !== null && go(hrefOf('/session', { id: open })),
    Escape: () =>
      document.activeElement === find.current ? find.current?.blur() : choose({ open: undefined }),
  });
  return (
    <>
      <h1>{headline}</h1>
      <Answered answer={answer}>
        {(data) => {
          if (Object.values(data.states).every((count) => count === 0))
            return <ConnectAgent isFirst />;
          return (
            <>
              <IncidentList chosen={query.get('incident')} />
              <p class="lead">{MEANING}</p>
              <Needed sessions={data.sessions} />
              <Filters data={data} query={query} find={find} />
              <div class={open === null ? 'list' : 'list with-pane'}>
                <div class="table-box">
                  <SessionTable
                    sessions={data.sessions}
                    sort={sort === 'last' ? '' : sort}
                    open={open}
                    onOpen={(session) => choose({ open: session })}
                  />
                  <Rest data={data} limit={limit} />
                </div>
                {open !== null && <SessionPane key={open} id={open} />}
              </div>
              <ConnectAgent />
            </>
          );
        }}
      </Answered>
    </>
  );
}

const MEANING =
  'An agent is stuck in a loop when it repeats itself without learning anything new. Unrut warns it first, and does more only if that does not help.';

/** Sessions that need a user, the first one by name. Acknowledged incidents are excluded. */
function Needed({ sessions }: Pick<SessionsAnswer, 'sessions'>): JSX.Element | null {
  useStore(acknowledged);
  const [first, ...others] = sessions.filter((row) => needsHuman(row) && !isAcknowledged(row));
  if (!first) return null;
  return (
    <p class="advice">
      <Link href={hrefOf('/session', { id: first.session })}>{titleOf(first)}</Link>
      {others.length > 0 && ` and ${counted(others.length, 'other')}`}{' '}
      {others.length > 0 ? 'need' : 'needs'} you: interrupt {others.length > 0 ? 'them' : 'it'}, and
      tell {others.length > 0 ? 'them' : 'it'} another way or give what is missing.
    </p>
  );
}

/** How many of those that run are stuck, and how many others only fail. */
function headlineOf({ states: { looping, running }, failing }: SessionsAnswer): string {
  const all = looping + running;
  if (all === 0) return 'No agent is running';
  const trouble = [
    looping > 0 && ([looping, 'stuck in a loop'] as const),
    failing > 0 && ([failing, 'failing'] as const),
  ].filter((each) => each !== false);
  const [worst, other] = trouble;
  if (!worst)
    return all === 1
      ? 'The running agent is not looping'
      : `None of ${number(all)} running agents is looping`;
  const [count, what] = worst;
  if (all === 1) return `The running agent is ${what}`;
  const also = other ? `, ${number(other[0])} ${isOrAre(other[0])} ${other[1]}` : '';
  return `${number(count)} of ${counted(all, 'running agent')} ${isOrAre(count)} ${what}${also}`;
}

const isOrAre = (count: number): string => (count === 1 ? 'is' : 'are');

interface FiltersProps {
  data: SessionsAnswer;
  query: URLSearchParams;
  find: { current: HTMLInputElement | null };
}

function Filters({
  data: { states, hosts, folders, total, looked },
  query,
  find,
}: FiltersProps): JSX.Element {
  const chosen = query.get('state') ?? '';
  const all = Object.values(states).reduce((sum, count) => sum + count, 0);
  const isFiltered = FILTERS.some((name) => query.get(name));
  return (
    <search class="tools">
      <div class="chips">
        <Link
          href={hrefHere({ state: undefined, limit: undefined })}
          aria-current={chosen === '' ? 'true' : undefined}
        >
          All <b>{number(all)}</b>
        </Link>
        {STATES.map(([state, name]) => (
          <Link
            key={state}
            class={state}
            href={hrefHere({ state, limit: undefined })}
            aria-current={chosen === state ? 'true' : undefined}
          >
            {name} <b>{number(states[state])}</b>
          </Link>
        ))}
      </div>
      <label>
        Find{' '}
        <input
          ref={find}
          type="search"
          placeholder="/"
          value={query.get('search') ?? ''}
          spellcheck={false}
          onInput={(event) => choose({ search: event.currentTarget.value, limit: undefined })}
        />
      </label>
      <Filter name="host" label="Agent" values={hosts} chosen={query.get('host')} />
      <Filter name="folder" label="Project" values={folders} chosen={query.get('folder')} />
      <label class="check">
        <input
          type="checkbox"
          checked={query.get('loops') !== null}
          onChange={(event) => choose({ loops: event.currentTarget.checked ? 1 : undefined })}
        />
        Loops only
      </label>
      <p role="status">
        {isFiltered
          ? `${counted(total, 'session')} found${looked ? ` among the newest ${number(looked)}` : ''}`
          : ''}
      </p>
    </search>
  );
}

interface FilterProps {
  name: string;
  label: string;
  values: readonly string[];
  chosen: string | null;
}

const Filter = ({ name, label, values, chosen }: FilterProps): JSX.Element | null =>
  values.length < 2 ? null : (
    <Choice
      label={label}
      of={[['', 'all'], ...values.map((value): [string, string] => [value, nameText(value)])]}
      value={chosen ?? ''}
      onChoose={(value) => choose({ [name]: value, limit: undefined })}
    />
  );

function Rest({
  data: { sessions, total, looked },
  limit,
}: {
  data: SessionsAnswer;
  limit: number;
}): JSX.Element | null {
  if (total === 0) return <p>No session matches. Choose less, or clear what you search for.</p>;
  if (sessions.length >= total) return null;
  return (
    <p class="pager">
      <span>{`${number(sessions.length)} of ${number(total)}${looked ? ` among the newest ${number(looked)}` : ''}`}</span>
      {limit < MAX_SHOWN ? (
        <button type="button" class="small" onClick={() => choose({ limit: limit + SHOWN })}>
          {`Show ${number(Math.min(SHOWN, total - sessions.length))} more`}
        </button>
      ) : (
        <span>Search or filter to see the others.</span>
      )}
    </p>
  );
}
