import type { JSX } from 'preact';
import { counted, dollars, short } from '../../../src/report/figures.ts';
import type { SessionRow } from '../../../src/server/api/answers.ts';
import { printable } from '../../../src/text/printable.ts';
import { hrefOf, Link } from '../router.tsx';
import { sessionName } from '../session-name.ts';
import { capital } from './capital.ts';
import { deedText } from './deed-text.ts';
import { Prose } from './prose.tsx';
import { State, titleOf } from './session-words.tsx';
import { When } from './when.tsx';

/** A session in a list: who, how it is going, and why in one line. */
export function SessionCard({ session }: { session: SessionRow }): JSX.Element {
  const { state, steps, loops, wasted, plans, doing, why, last } = session;
  const [title, name] = [titleOf(session), sessionName(session)];
  const isLooping = state === 'looping';
  return (
    <li class={`session ${state}`}>
      <h3>
        <Link href={hrefOf('/session', { id: session.session })}>{title}</Link> <State state={state} />
      </h3>
      {isLooping && why !== undefined ? (
        <p class="why">
          <Prose text={capital(why)} />.
        </p>
      ) : (
        doing !== undefined && (
          <p class="doing">
            {state === 'running' ? 'Now' : 'Last'}: <code>{printable(doing)}</code>
          </p>
        )
      )}
      <ul class="facts">
        <li>
          <When at={last} />
        </li>
        <li>{counted(steps, 'step')}</li>
        {loops > 0 && <li>{counted(loops, 'loop')}</li>}
        {wasted.steps > 0 && <li class="wasted">{wastedText(session)}</li>}
        {plans > 0 && <li>{deedText(session)}</li>}
        {title !== name && (
          <li>
            <code>{name}</code>
          </li>
        )}
      </ul>
    </li>
  );
}

function wastedText({ wasted }: SessionRow): string {
  const parts = [
    counted(wasted.steps, 'step'),
    wasted.tokens > 0 && `${short(wasted.tokens)} tokens`,
    wasted.usd > 0 && dollars(wasted.usd),
  ];
  return `${parts.filter(Boolean).join(', ')} wasted`;
}
