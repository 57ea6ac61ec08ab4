import { rounded, roundedWaste, sum, type Waste } from '@unrut/engine/account/loop';
import { shareDifference } from './difference.ts';
import type { GroupFigures, SideBySide } from './insights.ts';
import { type PersonShare, peopleIn, shareOf, sumIn } from './shares.ts';

/** Sessions of one person in one group. */
export interface PersonRow extends PersonShare {
  wasted: Waste;
}

/** The figures of a group, computed from its people's rows. */
export function groupFigures(rows: readonly PersonRow[]): GroupFigures {
  const wasted = rows.reduce((all, row) => sum(all, row.wasted), { steps: 0, tokens: 0, usd: 0 });
  return {
    sessions: sumIn(rows, 'sessions'),
    looped: sumIn(rows, 'looped'),
    share: shareOf(rows),
    people: peopleIn(rows),
    wasted: roundedWaste({ ...wasted, usd: rounded(wasted.usd) }),
  };
}

/** The comparison of two sides. The same query always gives the same interval. */
export function sideBySide(
  a: readonly PersonRow[],
  b: readonly PersonRow[],
  seed: string,
): SideBySide {
  const difference = shareDifference(a, b, seed);
  return { a: groupFigures(a), b: groupFigures(b), ...(difference ? { difference } : {}) };
}
