import type { JSX } from 'preact';
import { counted, number } from '../../../src/report/figures.ts';
import type { SessionsAnswer } from '../../../src/server/api/answers.ts';
import { useAnswer } from '../api/use-answer.ts';
import { go, hrefHere, Link } from '../router.tsx';
import { Answered } from './answered.tsx';
import { nameText } from './name-text.ts';
import { SessionCard } from './session-card.tsx';

const SHOWN = 10;

/** Sessions that do not run any more, to be searched. What is searched for stands in the address. */
export function EarlierSessions({ query, hosts }: { query: URLSearchParams; hosts: readonly string[] }): JSX.Element {
  const [search, host, cursor] = ['search', 'host', 'cursor'].map((name) => query.get(name) ?? '');
  const asked = new URLSearchParams({ state: 'silent,ended', limit: String(SHOWN) });
  for (const [name, value] of Object.entries({ search, host, cursor })) if (value) asked.set(name, value);
  const answer = useAnswer<SessionsAnswer>(`/v1/sessions?${asked}`, { every: 5000 });
  const choose = (changes: Record<string, string>): void => go(hrefHere({ ...changes, cursor: '' }), 'replace');
  return (
    <section aria-labelledby="earlier">
      <h2 id="earlier">Earlier</h2>
      <search class="tools">
        <label>
          Find <input type="search" value={search} spellcheck={false} onInput={(event) => choose({ search: event.currentTarget.value })} />
        </label>
        {hosts.length > 1 && (
          <label>
            Agent{' '}
            <select value={host} onChange={(event) => choose({ host: event.currentTarget.value })}>
              <option value="">all</option>
              {hosts.map((name) => (
                <option key={name} value={name}>
                  {nameText(name)}
                </option>
              ))}
            </select>
          </label>
        )}
        <p role="status">{answer.data && `${counted(answer.data.total, 'session')}${search || host ? ' found' : ''}`}</p>
      </search>
      <Answered answer={answer}>
        {({ sessions, next, total }) => (
          <>
            <ul class="sessions">
              {sessions.map((session) => (
                <SessionCard key={session.session} session={session} />
              ))}
            </ul>
            {total === 0 && <p>{search || host ? 'No matching sessions.' : 'None: every known agent is still running.'}</p>}
            {(cursor || next) && (
              <nav class="pager" aria-label="Earlier sessions">
                {cursor && <Link href={hrefHere({ cursor: '' })}>The latest</Link>}
                {next && <Link href={hrefHere({ cursor: next })}>{`The ${number(SHOWN)} before`}</Link>}
              </nav>
            )}
          </>
        )}
      </Answered>
    </section>
  );
}
