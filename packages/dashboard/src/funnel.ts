import type { LoopFigures } from '@unrut/ledger/reports/reports';

type Ending = keyof LoopFigures['endings'];

/** A stage of the funnel: where loops ended, and how many were left by then. */
export interface Stage {
  ending: Ending;
  /** Loops that ended here. */
  here: number;
  /** Loops that had ended before. */
  before: number;
  /** Loops that continued. */
  left: number;
}

/** From the least force to the most; then those that did not end. */
const ORDER: readonly Ending[] = [
  'itself',
  'note',
  'hint',
  'substitute',
  'block',
  'redirect',
  'escalate',
  'human',
  'stop',
  'never',
  'open',
];

/** The endings of loops by rung, weakest first, without empty stages. */
export function stagesOf({ loops, endings }: LoopFigures): Stage[] {
  let before = 0;
  return ORDER.flatMap((ending) => {
    const here = endings[ending];
    if (here === 0) return [];
    const stage = { ending, here, before, left: loops - before - here };
    before += here;
    return [stage];
  });
}
