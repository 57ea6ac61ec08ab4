import { number } from '@unrut/ledger/report/figures';
import { rateOf } from '@unrut/ledger/report/rate';
import type { Rate } from '@unrut/ledger/report/scan-report';
import type { LoopFigures } from '@unrut/ledger/reports/reports';
import type { JSX } from 'preact';
import { type Stage, stagesOf } from '../funnel.ts';
import { type Column, Table } from './table.tsx';

const percent = (share: number): string => `${Math.round(100 * share)}%`;

/** A share with the interval that chance allows. */
export const Share = ({ rate: { value, low, high } }: { rate: Rate }): JSX.Element => (
  <>
    {percent(value)} <span class="note">{`${percent(low)}–${percent(high)}`}</span>
  </>
);

const WORDS: Record<Stage['ending'], string> = {
  itself: 'by itself, before Unrut did anything',
  note: 'after a note',
  hint: 'after a hint',
  substitute: 'after another call instead',
  block: 'after a blocked call',
  redirect: 'after a move to another task',
  escalate: 'after a human was asked',
  human: 'when a human spoke',
  stop: 'with the run: Unrut stopped it',
  never: 'never: the run ended, or fell silent, in it',
  open: 'not yet: it goes on',
};

/** The endings of loops, each counted once: a bar that gets shorter with each stage. */
export function LoopFunnel({ figures }: { figures: LoopFigures }): JSX.Element {
  const { loops, effective } = figures;
  const columns: Column<Stage>[] = [
    { head: 'The loop ended', of: ({ ending }) => WORDS[ending] },
    { head: 'Of all loops', of: (stage) => <Bar stage={stage} /> },
    { head: 'Loops', of: ({ here }) => number(here), isFigure: true },
    {
      head: 'Share',
      of: ({ here }) => <Share rate={rateOf((here * effective) / loops, effective)} />,
      isFigure: true,
      meaning: 'Of all loops, with its interval (95 %).',
    },
    { head: 'Went on', of: ({ left }) => number(left), isFigure: true, isMinor: true },
  ];
  return (
    <Table
      caption="Where loops end"
      columns={columns}
      rows={stagesOf(figures)}
      none="No loop was seen."
    />
  );
}

/** A stop ends the run, not the trouble: it has a look of its own. */
const LOOKS: Partial<Record<Stage['ending'], string>> = {
  stop: 'stopped',
  never: 'never',
  open: 'open',
};

const Bar = ({ stage: { ending, here, before, left } }: { stage: Stage }): JSX.Element => (
  <span class="funnel" aria-hidden="true">
    <span style={{ flexGrow: before }} />
    <span class={LOOKS[ending] ?? 'here'} style={{ flexGrow: here }} />
    <span class="left" style={{ flexGrow: left }} />
  </span>
);
