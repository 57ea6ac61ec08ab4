import type { ComponentChildren, JSX } from 'preact';
import { counted, dollars, number } from '../../../src/report/figures.ts';
import type { SessionLoop } from '../../../src/server/api/answers.ts';
import { hrefAt } from '../moment-address.ts';
import { Link } from '../router.tsx';
import { capital } from './capital.ts';
import { PlanItem } from './plan-item.tsx';
import { Prose } from './prose.tsx';
import { RepeatsTable } from './repeats-table.tsx';
import { times } from './times.ts';

interface LoopProps {
  loop: SessionLoop;
  /** Its place in the session, from 1. */
  place: number;
  isOpen: boolean;
}

/** One loop of a session: why it is one, what it cost, what was done about it, and its repeats side by side. */
export function LoopDetails({ loop, place, isOpen }: LoopProps): JSX.Element {
  const name = `Loop ${place}`;
  const isOnlyRecorded = loop.plans.length > 0 && loop.plans.every(({ shadow }) => shadow);
  return (
    <details class="loop" id={`loop-${place}`} open={isOpen}>
      <summary>
        <h3>
          {name} {loop.isOpen && <span class="state looping">goes on</span>}
        </h3>
        <span class="cost">{counted(loop.wasted.steps, 'step')} wasted</span>
        <span class="why">
          <Prose text={capital(loop.text)} />.
        </span>
      </summary>
      <div class="evidence">
        <dl>
          {factsOf(loop).map(([title, fact]) => (
            <div key={title}>
              <dt>{title}</dt>
              <dd>{fact}</dd>
            </div>
          ))}
        </dl>
        <div class="plans">
          <h4>{isOnlyRecorded ? 'What Unrut would have done' : 'What Unrut did'}</h4>
          {loop.plans.length === 0 ? (
            <p>It was recorded; nothing was done.</p>
          ) : (
            <ol>
              {loop.plans.map((plan) => (
                <PlanItem key={plan.id} plan={plan} step={plan.step} />
              ))}
            </ol>
          )}
        </div>
        {loop.repeats.length > 1 && (
          <>
            <h4>The repeats side by side</h4>
            <RepeatsTable name={name} repeats={loop.repeats} count={Math.max(loop.count, loop.repeats.length)} />
          </>
        )}
        <p class="link">
          <Link href={hrefAt(loop.place.start)}>Show where {name.toLowerCase()} starts</Link>
        </p>
      </div>
    </details>
  );
}

function factsOf({ count, since, last, firedAt, wasted, detector, also, strength, agent }: SessionLoop): [string, ComponentChildren][] {
  const cost = [counted(wasted.steps, 'step'), wasted.tokens > 0 && counted(wasted.tokens, 'token'), wasted.usd > 0 && dollars(wasted.usd)];
  const facts: [string, ComponentChildren][] = [
    ['How often', times(count)],
    ['Where', `steps ${number(since)} to ${number(last)}, detected at step ${number(firedAt)}`],
    ['Wasted', cost.filter(Boolean).join(', ')],
    [
      'Detected by',
      [detector, ...also].map((name, i) => (
        <>
          {i > 0 && ', '}
          <Link href={`/detectors#${name}`}>{name}</Link>
        </>
      )),
    ],
    ['Confidence', `${Math.round(100 * strength)}%`],
  ];
  return agent === undefined ? facts : [['Nested agent', agent], ...facts];
}
