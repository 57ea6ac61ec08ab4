import type { JSX } from 'preact';
import { counted } from '../../../src/report/figures.ts';
import type { MomentRow } from '../../../src/server/api/answers.ts';
import { isQuiet, runsOf } from '../quiet-runs.ts';
import { MomentItem } from './moment-item.tsx';

interface MomentListProps {
  moments: readonly MomentRow[];
  /** One for each of them. */
  letters: string;
  /** The place of the first of them in the session. */
  offset: number;
  here: number | null;
}

/** Moments one below the other. Long stretches in which nothing repeated are folded. */
export function MomentList({ moments, letters, offset, here }: MomentListProps): JSX.Element {
  const item = (i: number): JSX.Element => (
    <MomentItem key={offset + i} moment={moments[i]!} letter={letters[i] ?? '?'} place={offset + i} isHere={offset + i === here} />
  );
  const runs = runsOf(moments.map((moment, i) => isQuiet(moment) && letters[i] !== 'u' && offset + i !== here));
  return (
    <ol class="moments">
      {runs.map(({ from, to, isFolded }) => {
        const items = Array.from({ length: to - from }, (_, i) => item(from + i));
        if (!isFolded) return items;
        return (
          <li key={`fold-${offset + from}`} class="fold">
            <details>
              <summary>{counted(to - from, 'step')} in which nothing repeated</summary>
              <ol class="moments">{items}</ol>
            </details>
          </li>
        );
      })}
    </ol>
  );
}
