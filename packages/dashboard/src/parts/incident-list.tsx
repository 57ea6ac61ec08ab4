import { counted, number } from '@unrut/ledger/report/figures';
import type {
  ActAnswer,
  IncidentAnswer,
  IncidentRow,
  IncidentsAnswer,
} from '@unrut/server/api/answers';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { type AskError, ask } from '../api/ask.ts';
import { inProject } from '../api/in-project.ts';
import { change, me } from '../api/me.ts';
import { lookAgain } from '../api/stream.ts';
import { useAnswer } from '../api/use-answer.ts';
import { hrefHere, hrefOf, Link } from '../router.tsx';
import { useStore } from '../store.ts';
import { Copy } from './copy.tsx';
import { Prose } from './prose.tsx';
import { When } from './when.tsx';
import { nameText } from './words.ts';

/** Failures and loops shared by many agents, which need attention first. */
export function IncidentList({ chosen }: { chosen: string | null }): JSX.Element | null {
  const { data } = useAnswer<IncidentsAnswer>('/v1/incidents?state=open,acknowledged&limit=20', {
    every: 3000,
  });
  if (!data || data.incidents.length === 0) return null;
  return (
    <section aria-label="Incidents">
      <ul class="incidents">
        {data.incidents.map((incident) => (
          <Incident key={incident.id} incident={incident} isChosen={incident.id === chosen} />
        ))}
      </ul>
    </section>
  );
}

function Incident({
  incident,
  isChosen,
}: {
  incident: IncidentRow;
  isChosen: boolean;
}): JSX.Element {
  const { id, text, advice, first, calls, acknowledged } = incident;
  return (
    <li class={acknowledged ? 'incident seen' : 'incident'}>
      <h2>
        <Prose text={text} />
      </h2>
      <p>
        <b>{counted(incident.sessions, 'agent')}</b>
        {whoText(incident)} · {counted(calls, 'failed call')} · began <When at={first} />
        {acknowledged && ` · acknowledged by ${nameText(acknowledged.by)}`}
      </p>
      <Pulse parts={incident.pulse} />
      <p>{advice}</p>
      <div class="actions">
        <Link href={hrefHere({ incident: isChosen ? undefined : id, limit: undefined })}>
          {isChosen ? 'Show all agents' : 'Show these agents'}
        </Link>
        <Copy text={() => location.origin + hrefOf('/', { incident: id })} name="Copy link" />
        <Orders incident={incident} />
      </div>
    </li>
  );
}

/** The teams, repositories and releases concerned, if known. */
function whoText({ project, teams, repos, releases }: IncidentRow): string {
  const parts = [teams, repos, releases].map((shares) => {
    const names = shares.slice(0, MOST_NAMES).map(({ name }) => nameText(name));
    const more = shares.length - names.length;
    return [...names, ...(more > 0 ? [`${number(more)} more`] : [])].join(', ');
  });
  const where = project === undefined ? '' : `project ${nameText(project)}`;
  return [where, ...parts].map((part) => (part === '' ? '' : ` · ${part}`)).join('');
}
const MOST_NAMES = 3;

/** How many agents it met, over its time. */
const Pulse = ({ parts }: { parts: readonly number[] }): JSX.Element => {
  const most = Math.max(1, ...parts);
  return (
    <span
      class="pulse-bars"
      role="img"
      aria-label={`Agents that failed, over its time: ${number(parts[0] ?? 0)} at first, ${number(Math.max(0, ...parts))} at most, ${number(parts.at(-1) ?? 0)} now.`}
    >
      {parts.map((part, i) => (
        <span key={i} style={{ height: `${(100 * part) / most}%` }} />
      ))}
    </span>
  );
};

/** The available actions on an incident and on all of its agents. */
function Orders({
  incident: { id, project, state, sessions },
}: {
  incident: IncidentRow;
}): JSX.Element | null {
  const who = useStore(me);
  const [said, say] = useState('');
  const [message, write] = useState<string>();
  const mayAct =
    who?.admin ||
    who?.projects.some(({ name, scopes }) => name === project && scopes.includes('admin'));
  if (!mayAct) return null;
  const path = (of: string): string => inProject(of, project) ?? of;
  const order = async (act: () => Promise<string>): Promise<void> => {
    try {
      say(await act());
      lookAgain();
    } catch (error) {
      say((error as AskError).message);
    }
  };
  const about =
    (act: string, more: { text?: string } = {}) =>
    async (): Promise<string> =>
      (await change<{ text: string }>('POST', path(`/v1/incidents/${id}`), { act, ...more })).text;
  const switchOff = async (): Promise<string> => {
    const { sessions: rows } = await ask<IncidentAnswer>(path(`/v1/incidents/${id}`));
    const names = rows.map(({ session }) => session);
    await change<ActAnswer>('POST', path('/v1/act'), { sessions: names, act: 'off' });
    return `Unrut is off for ${counted(names.length, 'agent')}.`;
  };
  const button = (name: string, title: string, act: () => Promise<string>): JSX.Element => (
    <button type="button" class="small" title={title} onClick={() => void order(act)}>
      {name}
    </button>
  );
  return (
    <>
      {state === 'open' &&
        button('Acknowledge', 'Says that somebody looks after it.', about('acknowledge'))}
      {button('Resolve', 'If its cause is back within 7 days, it is reopened.', about('resolve'))}
      {button(
        'Off for all',
        `Unrut says and does nothing more in ${sessions === 1 ? 'it' : 'these sessions'}, and still records.`,
        switchOff,
      )}
      <button
        type="button"
        class="small"
        aria-expanded={message !== undefined}
        title="Each of its agents reads it with its next result, if its program passes it on."
        onClick={() => write(message === undefined ? '' : undefined)}
      >
        Tell all
      </button>
      {message !== undefined && (
        <form
          class="tell-all"
          onSubmit={(event) => {
            event.preventDefault();
            write(undefined);
            void order(about('tell', { text: message }));
          }}
        >
          <input
            aria-label="What to tell its agents"
            placeholder="It is down until 08:00. Do other work."
            maxLength={500}
            required
            value={message}
            onInput={(event) => write(event.currentTarget.value)}
          />
          <button type="submit" class="small">
            Send
          </button>
        </form>
      )}
      <span role="status">{said}</span>
    </>
  );
}
