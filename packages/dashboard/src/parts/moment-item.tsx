import { printable } from '@unrut/engine/text/printable';
import { counted, dollars, priceWords } from '@unrut/ledger/report/figures';
import { loopKindOf } from '@unrut/ledger/report/html/kinds';
import type { PlanShown } from '@unrut/ledger/views/timeline';
import type { MomentRow } from '@unrut/server/api/answers';
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { hrefAt } from '../moment-address.ts';
import { isQuiet } from '../moment-runs.ts';
import { Link } from '../router.tsx';
import { doneText } from './deed-text.ts';
import { Prose } from './prose.tsx';
import { OUTCOMES, outcomeText } from './session-words.tsx';
import { Time } from './time.tsx';
import { capital } from './words.ts';

interface MomentProps {
  moment: MomentRow;
  letter: string;
  /** Its place in the session. */
  place: number;
  isHere: boolean;
}

/** One moment of a session: the event, its result, its signals and Unrut's actions. */
export function MomentItem({ moment, letter, place, isHere }: MomentProps): JSX.Element {
  const { step, agent, at, tool, what, brought, tokens, usd, signals, plans, outcomes, faults } =
    moment;
  const item = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isHere) item.current?.scrollIntoView({ block: 'center' });
  }, [isHere]);
  const { name, meaning } = loopKindOf(letter);
  const cost = [tokens !== undefined && counted(tokens, 'token'), usd !== undefined && dollars(usd)]
    .filter(Boolean)
    .join(', ');
  return (
    <li
      class={`moment${isHere ? ' here' : ''}${signals.length > 0 ? ' seen' : ''}`}
      ref={item}
      aria-current={isHere ? 'step' : undefined}
    >
      <Link class="number" href={hrefAt(place)} title="Link to this moment">
        {step === undefined ? (
          <span class="unseen">no step</span>
        ) : (
          <>
            <span class="unseen">step </span>
            {step}
          </>
        )}
      </Link>
      <Time at={at} />
      {step === undefined && letter === '?' ? (
        <i class="swatch" />
      ) : (
        <i class={`swatch ${name}`} title={meaning} aria-hidden="true" />
      )}
      <p class="what">
        {agent !== undefined && <span class="agent">{printable(agent)} </span>}
        {tool === undefined ? printable(what) : <code>{printable(what)}</code>}{' '}
        <span class="brought">{printable(brought)}</span>
        {cost !== '' && <span class="spent">{cost}</span>}
      </p>
      {(!isQuiet(moment) || faults.length > 0) && (
        <div class="about">
          {signals.map(({ detector, text, price }) => (
            <p key={detector} class="signal">
              <strong>{detector}</strong> <Prose text={text} />{' '}
              {price && <span class="spent">{priceWords(price)} without progress</span>}
            </p>
          ))}
          {plans.map((plan) => (
            <PlanLine key={plan.id} plan={plan} />
          ))}
          {outcomes
            .filter(({ outcome }) => outcome !== 'unknown')
            .map(({ plan, recovery, outcome, shadow }) => (
              <p key={`${plan} ${outcome}`} class={`found-out ${outcome}`}>
                <code>{recovery}</code>: {outcomeText(outcome, shadow)}
              </p>
            ))}
          {faults.map(({ where, message }) => (
            <p key={where} class="problem">
              Unrut had a fault in {where}: {printable(message)}
            </p>
          ))}
        </div>
      )}
    </li>
  );
}

/** One plan in a line: the action and its outcome; the model's text is folded. */
function PlanLine({ plan }: { plan: PlanShown }): JSX.Element {
  const { rung, recovery, toModel, toHuman, shadow, performed, outcome } = plan;
  return (
    <details class="plan-line">
      <summary>
        <strong>{capital(doneText(rung, shadow))}</strong> <code>{recovery}</code>
        {outcome !== undefined && (
          <span class={`outcome ${outcome}`} title={OUTCOMES[outcome].meaning}>
            {outcomeText(outcome, shadow)}
          </span>
        )}
        {performed && (performed.failed || performed.rung !== rung) && (
          <span class="note">
            {performed.failed
              ? 'the agent’s program could not do it'
              : `done as ${performed.rung}: the agent’s program can do no more`}
          </span>
        )}
      </summary>
      <p class="reader">{shadow ? 'What the model would have read' : 'What the model read'}</p>
      <blockquote>
        <Prose text={toModel} />
      </blockquote>
      {toHuman !== '' && (
        <p class="to-human">
          {shadow ? 'A human would have read' : 'For humans'}: <Prose text={toHuman} />
        </p>
      )}
    </details>
  );
}
