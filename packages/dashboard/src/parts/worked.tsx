import type { OutcomeCounts } from '@unrut/ledger/figures/session-figures';
import { number } from '@unrut/ledger/report/figures';
import type { JSX } from 'preact';
import { OUTCOMES } from './session-words.tsx';

/** Adds plans without an outcome as unknown. */
const withUnknown = (
  { recovered, relapsed, persisted }: OutcomeCounts,
  tried: number,
): OutcomeCounts => ({
  recovered,
  relapsed,
  persisted,
  unknown: Math.max(0, tried - recovered - relapsed - persisted),
});

const ORDER = ['recovered', 'relapsed', 'persisted', 'unknown'] as const;

/**
 * The outcomes of plans, as a bar with labels. It includes all `tried` plans: those without an
 * outcome are unknown.
 */
export function Worked({
  counts: given,
  tried,
}: {
  counts: OutcomeCounts;
  tried: number;
}): JSX.Element {
  const counts = withUnknown(given, tried);
  const there = ORDER.filter((outcome) => counts[outcome] > 0);
  return (
    <div class="worked">
      <span class="parts" aria-hidden="true">
        {there.map((outcome) => (
          <span
            key={outcome}
            class={outcome}
            style={{ flexGrow: counts[outcome] }}
            title={OUTCOMES[outcome].meaning}
          />
        ))}
      </span>
      <span class="words">
        {there.map((outcome) => `${OUTCOMES[outcome].name}: ${number(counts[outcome])}`).join(', ')}
      </span>
    </div>
  );
}
