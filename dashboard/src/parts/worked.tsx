import type { JSX } from 'preact';
import { number } from '../../../src/report/figures.ts';
import type { OutcomeCounts } from '../../../src/views/session-summary.ts';
import { OUTCOMES } from './session-words.tsx';

const ORDER = ['recovered', 'relapsed', 'persisted', 'unknown'] as const;

/** How plans ended, as a bar of parts with the same in words. */
export function Worked({ counts }: { counts: OutcomeCounts }): JSX.Element {
  const all = ORDER.reduce((sum, outcome) => sum + counts[outcome], 0);
  const there = ORDER.filter((outcome) => counts[outcome] > 0);
  if (all === 0) return <span class="note">not known yet</span>;
  return (
    <div class="worked">
      <span class="parts" aria-hidden="true">
        {there.map((outcome) => (
          <span key={outcome} class={outcome} style={{ flexGrow: counts[outcome] }} title={OUTCOMES[outcome].meaning} />
        ))}
      </span>
      <span class="words">{there.map((outcome) => `${OUTCOMES[outcome].name}: ${number(counts[outcome])}`).join(', ')}</span>
    </div>
  );
}
