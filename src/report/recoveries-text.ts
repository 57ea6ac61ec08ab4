import type { RecoveryRow } from '../outcome/learned-from.ts';
import type { Paint } from '../text/paint.ts';
import { number, share } from './figures.ts';
import { table } from './table.ts';

const right = (name: string) => ({ name, right: true });

/** What works after which failure, for a terminal. `weight` is what ranking takes from it, once there are enough cases. */
export function recoveriesText(rows: readonly RecoveryRow[], width: number, paint: Paint): string[] {
  return table(
    [{ name: 'after' }, { name: 'of' }, { name: 'candidate' }, ...['offered', 'followed', 'recovered', 'reward', 'weight'].map(right)],
    rows.map(({ failure, world, move, offered, followed, recovered, reward, share: weight }) => [
      failure,
      world,
      move,
      number(offered),
      followed === 0 ? '' : number(followed),
      followed === 0 ? '' : share(recovered, followed),
      reward === null ? '' : reward.toFixed(2),
      weight === null ? '' : weight.toFixed(2),
    ]),
    width,
    paint,
  );
}
