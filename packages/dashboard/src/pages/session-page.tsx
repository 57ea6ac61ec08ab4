import { noWaste, sum } from '@unrut/engine/account/loop';
import { leftTexts } from '@unrut/engine/policy/spending';
import { printable } from '@unrut/engine/text/printable';
import { mostWasted } from '@unrut/ledger/figures/session-figures';
import { counted, dollars, number, share, short } from '@unrut/ledger/report/figures';
import { duration } from '@unrut/ledger/report/html/times';
import type { SessionAnswer, SessionLoop, SessionRow, Waste } from '@unrut/server/api/answers';
import type { ComponentChildren, JSX } from 'preact';
import { useCallback } from 'preact/hooks';
import { nameInPath } from '../api/name-in-path.ts';
import { useAnswer } from '../api/use-answer.ts';
import { isKnownTime } from '../known-time.ts';
import { issueOf, wasteText } from '../loop-words.ts';
import { hrefAt, pageAsked, placeAsked } from '../moment-address.ts';
import { Answered } from '../parts/answered.tsx';
import { Copy } from '../parts/copy.tsx';
import { deedText } from '../parts/deed-text.ts';
import { Facts } from '../parts/facts.tsx';
import { Legend } from '../parts/legend.tsx';
import { LoopDetails } from '../parts/loop-details.tsx';
import { LoopPicture } from '../parts/loop-picture.tsx';
import { MomentList } from '../parts/moment-list.tsx';
import { Prose } from '../parts/prose.tsx';
import { SessionActions } from '../parts/session-actions.tsx';
import { State, titleOf } from '../parts/session-words.tsx';
import { Time } from '../parts/time.tsx';
import { Timeline } from '../parts/timeline.tsx';
import { useTitle } from '../parts/use-title.ts';
import { When } from '../parts/when.tsx';
import { capital, nameText, times } from '../parts/words.ts';
import { go, hrefOf, Link } from '../router.tsx';
import { adviceOn } from '../session-advice.ts';
import { dayText } from '../zone-time.ts';
import { LostPage } from './lost-page.tsx';

/** One session: its course, its loops with Unrut's actions, and all steps. */
export function SessionPage({ query }: { query: URLSearchParams }): JSX.Element {
  const id = query.get('id') ?? '';
  const answer = useAnswer<SessionAnswer>(`/v1/sessions/${nameInPath(id)}?${pageAsked(query)}`, {
    concerns: (entry) => entry.session === id,
  });
  const title = answer.data ? titleOf(answer.data.session) : 'Session';
  useTitle(title);
  if (answer.error?.status === 404 && !answer.data)
    return (
      <LostPage title="There is no such session">
        Nothing is recorded of <code>{nameText(id) || 'a session without a name'}</code>. It may
        have been deleted, be older than what is kept, or be in the ledger of another server.
      </LostPage>
    );
  return (
    <>
      {answer.data && <h1>{title}</h1>}
      <Answered answer={answer}>
        {(data) => <Session {...data} at={placeAsked(query, data)} />}
      </Answered>
    </>
  );
}

function Session(data: SessionAnswer & { at: number | null }): JSX.Element {
  const {
    session,
    control,
    loops,
    earlier,
    strip,
    seconds,
    acts,
    moments,
    total,
    offset,
    cut,
    at,
    ignoredStop,
  } = data;
  const tell = useCallback(
    (i: number): string => {
      const moment = moments[i - offset];
      if (!moment) return '';
      return printable(
        [moment.step === undefined ? '' : `Step ${moment.step}:`, moment.what, moment.brought]
          .filter(Boolean)
          .join(' '),
      );
    },
    [moments, offset],
  );
  const advice = adviceOn(session, ignoredStop !== undefined);
  const warned = moments.findLast(({ signals }) => signals.length > 0)?.signals.at(-1)?.text;
  const opened = loops.findLast((loop) => loop.isOpen) ?? loops.toSorted(BY_WASTE)[0];
  const [shown, folded] = shownLoops(loops, opened);
  const card = (loop: SessionLoop): JSX.Element => {
    const place = loops.indexOf(loop) + 1;
    return (
      <LoopDetails
        key={loop.id}
        id={`loop-${place}`}
        loop={loop === opened ? { ...loop, picture: undefined } : loop}
        place={place}
        isOpen={loop === opened}
        links={LINKS}
      >
        <Link class="button small" href={hrefAt(loop.place.start)}>
          Show where loop {place} starts
        </Link>
        <Copy text={() => issueOf(session, loop)} name="Copy as issue" of={`loop ${place}`} />
      </LoopDetails>
    );
  };
  return (
    <>
      <p class="lead">
        <State state={session.state} failing={session.failing} />{' '}
        <Prose text={verdictOn(session, warned)} />
      </p>
      {ignoredStop && (
        <p class="ignored">
          Unrut stopped it at{' '}
          <Link href={hrefAt(ignoredStop.place)}>step {number(ignoredStop.step)}</Link>, but it went
          on for {counted(ignoredStop.steps, 'step')}.
        </p>
      )}
      {advice !== '' && <p class="advice">{advice}</p>}
      <Facts of={factsOf(session, titleOf(session))} />
      <SessionActions session={session} control={control} />
      {cut && <p class="note">The session is so long that its oldest part is not shown.</p>}
      {opened && (
        <section aria-labelledby="why">
          <h2 id="why">{opened.isOpen ? 'Why this is a loop' : 'Why this was a loop'}</h2>
          <p>
            <Prose text={capital(opened.text)} />.
          </p>
          <LoopPicture picture={opened.picture} name={`Loop ${loops.indexOf(opened) + 1}`} />
        </section>
      )}
      <section aria-labelledby="timeline">
        <h2 id="timeline">The whole session</h2>
        <Timeline
          {...{ letters: strip, seconds, acts, loops, here: at, tell }}
          first={session.first}
          onChoose={(moment) => go(hrefAt(moment))}
        />
        <Legend />
      </section>
      {loops.length > 0 && (
        <section aria-labelledby="loops">
          <h2 id="loops">Loops</h2>
          {shown.map(card)}
          {folded.length > 0 && (
            <details class="more">
              <summary>{`${counted(folded.length, 'more loop')}: ${wasteText(sumOf(folded))}`}</summary>
              {folded.map(card)}
            </details>
          )}
          {earlier.bursts > 0 && (
            <p class="note">
              {counted(earlier.bursts, 'earlier burst')} {earlier.bursts === 1 ? 'is' : 'are'} only
              counted: {wasteText(earlier.wasted)}.
            </p>
          )}
        </section>
      )}
      <section aria-labelledby="steps">
        <h2 id="steps">Step by step</h2>
        <Pager label="Steps" offset={offset} shown={moments.length} total={total} />
        <MomentList
          moments={moments}
          letters={strip.slice(offset, offset + moments.length)}
          offset={offset}
          here={at}
        />
        <Pager label="Steps, at the end" offset={offset} shown={moments.length} total={total} />
      </section>
    </>
  );
}

const BY_WASTE = mostWasted('steps');

/** How many loops are shown at once. */
const MAX_LOOPS = 5;

/**
 * The loops that are shown and those that are folded, each in their order: the one that is opened
 * and the costliest are shown.
 */
function shownLoops(
  loops: readonly SessionLoop[],
  opened: SessionLoop | undefined,
): [shown: SessionLoop[], folded: SessionLoop[]] {
  if (loops.length <= MAX_LOOPS + 1) return [[...loops], []];
  const first = new Set(
    [...new Set([...(opened ? [opened] : []), ...loops.toSorted(BY_WASTE)])].slice(0, MAX_LOOPS),
  );
  return [loops.filter((loop) => first.has(loop)), loops.filter((loop) => !first.has(loop))];
}

const sumOf = (loops: readonly SessionLoop[]): Waste =>
  loops.reduce((all, { wasted }) => sum(all, wasted), noWaste());

const LINKS = {
  moment: hrefAt,
  detector: (name: string): string => `${hrefOf('/detectors')}#${name}`,
};

/** `warned`: the last signal on the shown page of steps. */
function verdictOn(session: SessionRow, warned: string | undefined): string {
  const { steps, loops, wasted, acted } = session;
  if (loops === 0 && acted.persisted > 0 && warned !== undefined)
    return `${capital(printable(warned))}. That is no loop for certain. ${deedText(session)}.`;
  if (loops === 0 && acted.persisted > 0)
    return `No loop for certain in ${counted(steps, 'step')}, but ${acted.persisted === 1 ? 'a warning was' : `${number(acted.persisted)} warnings were`} not heeded.`;
  if (loops === 0) return `No loops in ${counted(steps, 'step')}.`;
  const cost = `${number(wasted.steps)} of ${counted(steps, 'step')} (${share(wasted.steps, steps)}) wasted`;
  return `${wentText(session)}: ${cost}. ${deedText(session)}.`;
}

function wentText({ state, stuck, loops, highest }: SessionRow): string {
  if (state === 'looping') return 'It is stuck in a loop';
  if (state === 'stopped') return 'Unrut stopped it in a loop';
  if (!stuck && highest === 'stop') return 'It was in a loop, and Unrut stopped it';
  if (!stuck) return `It looped ${times(loops)}`;
  return `It was stuck in a loop when it ${state === 'ended' ? 'ended' : 'went silent'}`;
}

/** `named` is how it is called above them. */
function factsOf(
  { session, project, first, last, tokens, usd, wasted, budget }: SessionRow,
  named: string,
): ComponentChildren[] {
  return [
    project !== undefined && `project ${nameText(project)}`,
    isKnownTime(first) && (
      <>
        {dayText(first)} <Time at={first} />
      </>
    ),
    isKnownTime(first) && isKnownTime(last) && `for ${duration(last - first)}`,
    <>
      last active <When at={last} />
    </>,
    tokens > 0 &&
      `${short(tokens)} tokens${wasted.tokens > 0 ? `, ${short(wasted.tokens)} of them wasted` : ''}`,
    usd > 0 && `${dollars(usd)}${wasted.usd > 0 ? `, ${dollars(wasted.usd)} of it wasted` : ''}`,
    budget !== undefined && `budget left: ${leftTexts(budget).join(', ')}`,
    named !== printable(session) && <code>{printable(session)}</code>,
  ];
}

interface PagerProps {
  label: string;
  offset: number;
  shown: number;
  total: number;
}

function Pager({ label, offset, shown, total }: PagerProps): JSX.Element | null {
  if (shown >= total) return null;
  return (
    <nav class="pager" aria-label={label}>
      {offset > 0 && <Link href={hrefAt(offset - 1)}>Earlier steps</Link>}
      <span>{`${number(offset + 1)} to ${number(offset + shown)} of ${number(total)}`}</span>
      {offset + shown < total && <Link href={hrefAt(offset + shown)}>Later steps</Link>}
    </nav>
  );
}
