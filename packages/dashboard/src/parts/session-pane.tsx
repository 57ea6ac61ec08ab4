import { printable } from '@unrut/engine/text/printable';
import { counted, dollars, number } from '@unrut/ledger/report/figures';
import type { SessionAnswer, SessionRow } from '@unrut/server/api/answers';
import type { JSX } from 'preact';
import { nameInPath } from '../api/name-in-path.ts';
import { useAnswer } from '../api/use-answer.ts';
import { actText, outcomeWords, stepsText } from '../loop-words.ts';
import { choose, go, hrefOf, Link } from '../router.tsx';
import { adviceOn } from '../session-advice.ts';
import { Answered } from './answered.tsx';
import { Prose } from './prose.tsx';
import { SessionActions } from './session-actions.tsx';
import { State, titleOf } from './session-words.tsx';
import { Time } from './time.tsx';
import { Timeline } from './timeline.tsx';
import { capital } from './words.ts';

const STEPS = 6;

function spentText({ steps, wasted }: SessionRow): string {
  if (wasted.steps === 0) return `${counted(steps, 'step')}, none wasted`;
  return `${number(wasted.steps)} of ${counted(steps, 'step')} wasted${wasted.usd > 0 ? `, ${dollars(wasted.usd)}` : ''}`;
}

/** A session next to the list: its problem, Unrut's actions, and advice. */
export function SessionPane({ id }: { id: string }): JSX.Element {
  const answer = useAnswer<SessionAnswer>(`/v1/sessions/${nameInPath(id)}?limit=${STEPS}`, {
    concerns: (entry) => entry.session === id,
  });
  return (
    <aside class="pane" aria-label="The chosen session">
      <button
        type="button"
        class="small close"
        onClick={() => choose({ open: undefined })}
        title="Esc"
      >
        Close
      </button>
      <Answered answer={answer}>{(data) => <Brief {...data} />}</Answered>
    </aside>
  );
}

function Brief({
  session,
  control,
  loops,
  strip,
  seconds,
  acts,
  moments,
  offset,
}: SessionAnswer): JSX.Element {
  const loop = loops.findLast(({ isOpen }) => isOpen) ?? loops.at(-1);
  const href = hrefOf('/session', { id: session.session });
  const advice = adviceOn(session);
  return (
    <>
      <h2>
        <Link href={href}>{titleOf(session)}</Link>
      </h2>
      <p>
        <State state={session.state} failing={session.failing} /> {spentText(session)}
      </p>
      {advice !== '' && <p class="advice">{advice}</p>}
      <SessionActions session={session} control={control} />
      <Timeline
        {...{ letters: strip, seconds, acts, loops, here: null, first: session.first }}
        tell={(i) => printable(moments[i - offset]?.what ?? '')}
        onChoose={(at) => go(hrefOf('/session', { id: session.session, at }))}
      />
      {loop && (
        <>
          <h3>{loop.isOpen ? 'The loop' : 'The last loop'}</h3>
          <p>
            <Prose text={capital(loop.text)} />. {capital(stepsText(loop.since, loop.last))}.
          </p>
          <ul class="acts">
            {loop.acts.map((act) => (
              <li key={`${act.rung} ${act.recovery} ${act.shadow}`}>
                {actText(act)}{' '}
                <span class={`outcome ${act.outcomes.recovered > 0 ? 'recovered' : 'persisted'}`}>
                  {outcomeWords(act)}
                </span>
              </li>
            ))}
          </ul>
        </>
      )}
      <h3>The last steps</h3>
      <ol class="last-steps">
        {moments.map((moment, i) => (
          <li key={offset + i}>
            <Time at={moment.at} />{' '}
            {moment.tool === undefined ? (
              printable(moment.what)
            ) : (
              <code>{printable(moment.what)}</code>
            )}{' '}
            <span class="note">{printable(moment.brought)}</span>
          </li>
        ))}
      </ol>
      <p>
        <Link href={href}>Open the session</Link>
      </p>
    </>
  );
}
