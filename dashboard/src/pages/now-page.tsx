import type { JSX } from 'preact';
import { counted, number } from '../../../src/report/figures.ts';
import type { SessionsAnswer } from '../../../src/server/api/answers.ts';
import { useAnswer } from '../api/use-answer.ts';
import { Answered } from '../parts/answered.tsx';
import { ConnectAgent } from '../parts/connect-agent.tsx';
import { EarlierSessions } from '../parts/earlier-sessions.tsx';
import { SessionCard } from '../parts/session-card.tsx';
import { useTitle } from '../parts/use-title.ts';

/** What agents are doing now, who of them goes in circles, and why. Below, the sessions of before. */
export function NowPage({ query }: { query: URLSearchParams }): JSX.Element {
  const answer = useAnswer<SessionsAnswer>('/v1/sessions?state=looping,running&limit=200');
  const headline = answer.data ? headlineOf(answer.data.states) : 'Now';
  useTitle(headline);
  return (
    <>
      <h1>{headline}</h1>
      <Answered answer={answer}>
        {({ sessions, states, hosts }) => {
          const looping = sessions.filter(({ state }) => state === 'looping');
          const running = sessions.filter(({ state }) => state === 'running');
          if (Object.values(states).every((count) => count === 0)) return <ConnectAgent isFirst />;
          return (
            <>
              <p class="lead">{MEANING}</p>
              {looping.length > 0 && <Sessions title="Stuck in a loop" sessions={looping} />}
              {running.length > 0 && <Sessions title="Running" sessions={running} />}
              <EarlierSessions query={query} hosts={hosts} />
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

function headlineOf({ looping, running }: SessionsAnswer['states']): string {
  const all = looping + running;
  if (all === 0) return 'No agent is running';
  if (looping === 0) return all === 1 ? 'The running agent is not looping' : `None of ${number(all)} running agents is looping`;
  if (all === 1) return 'The running agent is stuck in a loop';
  return `${number(looping)} of ${counted(all, 'running agent')} ${looping === 1 ? 'is' : 'are'} stuck in a loop`;
}

const Sessions = ({ title, sessions }: { title: string; sessions: SessionsAnswer['sessions'] }): JSX.Element => (
  <section>
    <h2>{title}</h2>
    <ul class="sessions">
      {sessions.map((session) => (
        <SessionCard key={session.session} session={session} />
      ))}
    </ul>
  </section>
);
