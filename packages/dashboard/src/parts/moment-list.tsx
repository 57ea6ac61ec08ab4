import { counted } from '@unrut/ledger/report/figures';
import type { MomentRow } from '@unrut/server/api/answers';
import type { JSX } from 'preact';
import { kindOf, runsOf } from '../moment-runs.ts';
import { doneText } from './deed-text.ts';
import { MomentItem } from './moment-item.tsx';
import { times } from './words.ts';

interface MomentListProps {
  moments: readonly MomentRow[];
  /** One for each of them. */
  letters: string;
  /** The place of the first of them in the session. */
  offset: number;
  here: number | null;
}

/**
 * Moments one below the other. Long stretches in which nothing repeated, or in which one loop went
 * on, are folded.
 */
export function MomentList({ moments, letters, offset, here }: MomentListProps): JSX.Element {
  const item = (i: number): JSX.Element => (
    <MomentItem
      key={offset + i}
      moment={moments[i]!}
      letter={letters[i] ?? '?'}
      place={offset + i}
      isHere={offset + i === here}
    />
  );
  const runs = runsOf(
    moments.map((moment, i) => kindOf(moment, letters[i] ?? '?', offset + i === here)),
  );
  return (
    <ol class="moments">
      {runs.map(({ from, to, folded }) => {
        const items = Array.from({ length: to - from }, (_, i) => item(from + i));
        if (!folded) return items;
        return (
          <li key={`fold-${offset + from}`} class={folded === 'loop' ? 'fold of-loop' : 'fold'}>
            <details>
              <summary>
                {folded === 'quiet'
                  ? `${counted(to - from, 'step')} in which nothing repeated`
                  : loopText(moments.slice(from, to))}
              </summary>
              <ol class="moments">{items}</ol>
            </details>
          </li>
        );
      })}
    </ol>
  );
}

/** `38 more steps of the loop: blocked the call 36 times`. */
function loopText(moments: readonly MomentRow[]): string {
  const deeds = Map.groupBy(
    moments.flatMap(({ plans }) => plans),
    ({ rung, shadow }) => doneText(rung, shadow),
  );
  const told = [...deeds].map(([deed, plans]) => `${deed} ${times(plans.length)}`);
  return `${counted(moments.length, 'more step')} of the loop${told.length > 0 ? `: ${told.join(', ')}` : ''}`;
}
