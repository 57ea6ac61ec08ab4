import type { JSX } from 'preact';
import type { PlanShown } from '../../../src/views/timeline.ts';
import { doneText } from './deed-text.ts';
import { Prose } from './prose.tsx';
import { OUTCOMES, outcomeText } from './session-words.tsx';
import { capital } from './words.ts';

/** One plan in a line: what was done and what became of it; what the model read is folded. */
export function PlanLine({ plan }: { plan: PlanShown }): JSX.Element {
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
            {performed.failed ? 'the agent’s program could not do it' : `done as ${performed.rung}: the agent’s program can do no more`}
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
