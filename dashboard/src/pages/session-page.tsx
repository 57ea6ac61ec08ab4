import type { JSX } from 'preact';
import { counted, dollars, number, share, short } from '../../../src/report/figures.ts';
import { duration } from '../../../src/report/html/times.ts';
import { clock, day } from '../../../src/report/time-text.ts';
import type { SessionAnswer, SessionRow } from '../../../src/server/api/answers.ts';
import { printable } from '../../../src/text/printable.ts';
import { useAnswer } from '../api/use-answer.ts';
import { isKnownTime } from '../known-time.ts';
import { hrefAt, pageAsked, placeAsked } from '../moment-address.ts';
import { Answered } from '../parts/answered.tsx';
import { deedText } from '../parts/deed-text.ts';
import { Legend } from '../parts/legend.tsx';
import { LoopDetails } from '../parts/loop-details.tsx';
import { MomentList } from '../parts/moment-list.tsx';
import { State, titleOf } from '../parts/session-words.tsx';
import { Strip } from '../parts/strip.tsx';
import { times } from '../parts/times.ts';
import { useTitle } from '../parts/use-title.ts';
import { When } from '../parts/when.tsx';
import { go, Link } from '../router.tsx';

/** One session: how it went, its loops with what was done about them, and all its steps. */
export function SessionPage({ query }: { query: URLSearchParams }): JSX.Element {
  const id = query.get('id') ?? '';
  const answer = useAnswer<SessionAnswer>(`/v1/session?${pageAsked(query)}`, {
    concerns: (entry) => entry.session === id,
  });
  const title = answer.data ? titleOf(answer.data.session) : 'Session';
  useTitle(title);
  return (
    <>
      <h1>{title}</h1>
      <Answered answer={answer}>{(data) => <Session {...data} at={placeAsked(query, data)} />}</Answered>
    </>
  );
}

function Session({ session, loops, strip, moments, total, offset, cut, at }: SessionAnswer & { at: number | null }): JSX.Element {
  const tell = (i: number): string => {
    const moment = moments[i - offset];
    if (!moment) return '';
    return printable([moment.step === undefined ? '' : `Step ${moment.step}:`, moment.what, moment.brought].filter(Boolean).join(' '));
  };
  const openOnes = loops.filter((loop) => loop.isOpen);
  return (
    <>
      <p class="lead">
        <State state={session.state} /> {verdictOn(session)}
      </p>
      <Facts session={session} named={titleOf(session)} />
      {cut && <p class="note">The session is so long that its oldest part is not shown.</p>}
      <section aria-labelledby="timeline">
        <h2 id="timeline">The whole session</h2>
        <Strip letters={strip} loops={loops} here={at} tell={tell} onChoose={(moment) => go(hrefAt(moment))} />
        <Legend />
      </section>
      {loops.length > 0 && (
        <section aria-labelledby="loops">
          <h2 id="loops">Loops</h2>
          {loops.map((loop, i) => (
            <LoopDetails key={loop.id} loop={loop} place={i + 1} isOpen={openOnes.length > 0 ? loop === openOnes.at(-1) : i === 0} />
          ))}
        </section>
      )}
      <section aria-labelledby="steps">
        <h2 id="steps">Step by step</h2>
        <Pager offset={offset} shown={moments.length} total={total} />
        <MomentList moments={moments} letters={strip.slice(offset, offset + moments.length)} offset={offset} here={at} />
        <Pager offset={offset} shown={moments.length} total={total} />
      </section>
    </>
  );
}

function verdictOn(session: SessionRow): string {
  const { steps, loops, wasted } = session;
  if (loops === 0) return `No loops in ${counted(steps, 'step')}.`;
  const cost = `${number(wasted.steps)} of ${counted(steps, 'step')} (${share(wasted.steps, steps)}) wasted`;
  return `${wentText(session)}: ${cost}. ${deedText(session)}.`;
}

function wentText({ state, looping, loops }: SessionRow): string {
  if (state === 'looping') return 'It is stuck in a loop';
  return state === 'silent' && looping ? 'It was stuck in a loop when it went silent' : `It looped ${times(loops)}`;
}

/** `named` is how it is called above them. */
const Facts = ({ session: { session, first, last, tokens, usd, wasted }, named }: { session: SessionRow; named: string }): JSX.Element => (
  <ul class="facts">
    {isKnownTime(first) && (
      <li>
        {day(first)} {clock(first)}
      </li>
    )}
    {isKnownTime(first) && isKnownTime(last) && <li>for {duration(last - first)}</li>}
    <li>
      last active <When at={last} />
    </li>
    {tokens > 0 && <li>{`${short(tokens)} tokens, ${short(wasted.tokens)} of them wasted`}</li>}
    {usd > 0 && <li>{`${dollars(usd)}, ${dollars(wasted.usd)} of it wasted`}</li>}
    {named !== printable(session) && (
      <li>
        <code>{printable(session)}</code>
      </li>
    )}
  </ul>
);

function Pager({ offset, shown, total }: { offset: number; shown: number; total: number }): JSX.Element | null {
  if (shown >= total) return null;
  return (
    <nav class="pager" aria-label="Steps">
      {offset > 0 && <Link href={hrefAt(offset - 1)}>Earlier steps</Link>}
      <span>{`${number(offset + 1)} to ${number(offset + shown)} of ${number(total)}`}</span>
      {offset + shown < total && <Link href={hrefAt(offset + shown)}>Later steps</Link>}
    </nav>
  );
}
