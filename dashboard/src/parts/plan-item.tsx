import type { JSX } from 'preact';
import { DEEDS } from '../../../src/report/rung-words.ts';
import type { PlanShown } from '../../../src/views/timeline.ts';
import { Prose } from './prose.tsx';
import { OUTCOMES, outcomeText } from './session-words.tsx';

interface PlanProps {
  plan: PlanShown;
  step?: number;
  /** What was said is folded. */
  isBrief?: boolean;
}

/** One plan: what was done, what the model read and a person was told, and what became of it. */
export function PlanItem({ plan, step, isBrief = false }: PlanProps): JSX.Element {
  const { rung, recovery, toModel, toHuman, shadow, performed, outcome } = plan;
  const reads = shadow ? 'What the model would have read' : 'What the model read';
  const said = (
    <>
      <blockquote>
        <Prose text={toModel} />
      </blockquote>
      {toHuman !== '' && (
        <p class="to-human">
          {shadow ? 'A human would have read' : 'For humans'}: <Prose text={toHuman} />
        </p>
      )}
    </>
  );
  return (
    <li class="plan">
      <p>
        {step !== undefined && `Step ${step}: `}
        <strong>{rung}</strong> {shadow ? `would have ${DEEDS[rung].done}` : DEEDS[rung].does} <code>{recovery}</code>
        {outcome !== undefined && (
          <span class={`outcome ${outcome}`} title={OUTCOMES[outcome].meaning}>
            {outcomeText(outcome, shadow)}
          </span>
        )}
      </p>
      {performed && (performed.failed || performed.rung !== rung) && (
        <p class="note">
          {performed.failed ? 'The agent’s program could not do it.' : `Done as ${performed.rung}: the agent’s program can do no more.`}
        </p>
      )}
      {isBrief ? (
        <details>
          <summary>{reads}</summary>
          {said}
        </details>
      ) : (
        <>
          <p class="reader">{reads}</p>
          {said}
        </>
      )}
    </li>
  );
}
