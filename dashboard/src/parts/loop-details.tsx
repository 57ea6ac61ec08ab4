import type { ComponentChildren, JSX } from 'preact';
import { counted, number } from '../../../src/report/figures.ts';
import type { SessionLoop } from '../../../src/server/api/answers.ts';
import { actText, outcomeWords, stepsText, wasteText } from '../loop-words.ts';
import { hrefAt } from '../moment-address.ts';
import { Link } from '../router.tsx';
import { capital } from './capital.ts';
import { Copy } from './copy.tsx';
import { Prose } from './prose.tsx';
import { RepeatsTable } from './repeats-table.tsx';

interface LoopProps {
  loop: SessionLoop;
  /** Its place in the session, from 1. */
  place: number;
  isOpen: boolean;
  /** The text of an issue about it. */
  issue(): string;
}

/** One loop of a session: why it is one, what it cost, what was done about it, each thing once, and its repeats side by side. */
export function LoopDetails({ loop, place, isOpen, issue }: LoopProps): JSX.Element {
  const name = `Loop ${place}`;
  return (
    <details class="loop" id={`loop-${place}`} open={isOpen}>
      <summary>
        <h3>
          {name} {loop.isOpen && <span class="state looping">still looping</span>}
        </h3>
        <span class="cost">{wasteText(loop.wasted)}</span>
        <span class="why">
          <Prose text={capital(loop.text)} />. {whereText(loop)}
        </span>
        {loop.acts.length > 0 && <span class="in-short">{shortActs(loop)}</span>}
      </summary>
      <div class="evidence">
        {loop.acts.length === 0 ? <p>It was recorded; nothing was done.</p> : <Acts acts={loop.acts} />}
        {loop.repeats.length > 1 && (
          <>
            <h4>What repeats, side by side</h4>
            <RepeatsTable name={name} repeats={loop.repeats} count={Math.max(loop.repeated, loop.repeats.length)} />
          </>
        )}
        {loop.bursts.length > 1 && <Bursts bursts={loop.bursts} />}
        <p class="facts-line">
          {factsOf(loop).map(([title, fact]) => (
            <span key={title}>
              {title}: {fact}
            </span>
          ))}
        </p>
        <p class="actions">
          <Link class="button small" href={hrefAt(loop.place.start)}>
            Show where {name.toLowerCase()} starts
          </Link>
          <Copy text={issue} name="Copy as issue" of={name.toLowerCase()} />
        </p>
      </div>
    </details>
  );
}

const whereText = ({ since, last, bursts }: SessionLoop): string =>
  `${capital(stepsText(since, last))}${bursts.length > 1 ? `, in ${number(bursts.length)} bursts with other work between them` : ''}.`;

/** The strongest thing that was done, and what came of it: what a reader asks first. */
function shortActs({ acts }: SessionLoop): string {
  const most = acts.reduce((one, other) => (other.times > one.times ? other : one));
  const last = acts.at(-1)!;
  const told = most === last ? [last] : [most, last];
  return told.map((act) => `${actText(act)}: ${outcomeWords(act)}`).join(' · ');
}

/** What was done, each thing once with how often; what was said is folded but for the last. */
const Acts = ({ acts }: { acts: SessionLoop['acts'] }): JSX.Element => (
  <div class="plans">
    <h4>{acts.every(({ shadow }) => shadow) ? 'What Unrut would have done' : 'What Unrut did'}</h4>
    <ol>
      {acts.map((act, i) => (
        <li key={`${act.rung} ${act.recovery} ${act.shadow}`} class="plan">
          <p>
            {actText(act)} <span class={`outcome ${act.outcomes.recovered > 0 ? 'recovered' : 'persisted'}`}>{outcomeWords(act)}</span>{' '}
            <code>{act.recovery}</code>
          </p>
          {act.notPerformed > 0 && (
            <p class="note">The agent’s program could not do it{act.times > 1 && ` ${number(act.notPerformed)} times`}, or only less.</p>
          )}
          {act.toModel !== '' && (
            <details open={i === acts.length - 1}>
              <summary>{act.shadow ? 'What the model would have read' : 'What the model read'}</summary>
              <blockquote>
                <Prose text={act.toModel} />
              </blockquote>
            </details>
          )}
          {(act.rung === 'escalate' || act.rung === 'stop') && act.toHuman !== '' && (
            <p class="to-human">
              {act.shadow ? 'A human would have read' : 'For humans'}: <Prose text={act.toHuman} />
            </p>
          )}
        </li>
      ))}
    </ol>
  </div>
);

const MAX_BURSTS = 12;

/** Where the bursts are: the first ones and the last ones. */
function Bursts({ bursts }: Pick<SessionLoop, 'bursts'>): JSX.Element {
  const half = MAX_BURSTS / 2;
  const left = bursts.length - MAX_BURSTS;
  const shown = left > 0 ? [...bursts.slice(0, half), ...bursts.slice(-half)] : bursts;
  return (
    <>
      <h4>{counted(bursts.length, 'burst')}</h4>
      <ul class="bursts">
        {shown.map(({ since, last, wasted, place }, i) => (
          <>
            {left > 0 && i === half && <li class="note">{number(left)} more</li>}
            <li key={since}>
              <Link href={hrefAt(place.start)}>{stepsText(since, last)}</Link> <span class="note">{number(wasted.steps)} wasted</span>
            </li>
          </>
        ))}
      </ul>
    </>
  );
}

function factsOf({ firedAt, detector, also, strength, agent }: SessionLoop): [string, ComponentChildren][] {
  return [
    ...(agent === undefined ? [] : [['Nested agent', agent] as [string, ComponentChildren]]),
    ['Detected', `at step ${number(firedAt)}`],
    [
      'By',
      [detector, ...also].map((name, i) => (
        <>
          {i > 0 && ', '}
          <Link href={`/detectors#${name}`}>{name}</Link>
        </>
      )),
    ],
    ['Confidence', `${Math.round(100 * strength)}%`],
  ];
}
