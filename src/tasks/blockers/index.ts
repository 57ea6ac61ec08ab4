import type { BlockerOutcomes } from '../task-state.ts';
import type { BlockerKind } from './blocker-kind.ts';
import { failingBefore } from './failing-before.ts';
import { missingCredential } from './missing-credential.ts';
import { missingDependency } from './missing-dependency.ts';
import { noPermission } from './no-permission.ts';
import { unavailableService } from './unavailable-service.ts';
import { unclearRequirement } from './unclear-requirement.ts';

/** Known kinds of blockers; the first that matches counts. */
export const blockerKinds: readonly BlockerKind[] = [
  failingBefore,
  missingCredential,
  noPermission,
  missingDependency,
  unavailableService,
  unclearRequirement,
];

/** A way around a blocker that can be suggested. */
export interface WayAround {
  /** The kind and the way, under which its outcomes are kept. */
  key: string;
  blocker: string;
  text: string;
}

/** With fewer cases chance decides more than the way does. */
const ENOUGH = 3;

/** What to try first for each blocker that is of a known kind: the order of the catalogue, unless outcomes say otherwise. */
export function waysAround(blockers: readonly string[], outcomes: BlockerOutcomes): WayAround[] {
  return blockers.flatMap((blocker) => {
    const kind = blockerKinds.find(({ matches }) => matches.test(blocker));
    if (!kind) return [];
    const ways = Object.entries(kind.ways).map(([name, text]) => ({ key: `${kind.name}/${name}`, blocker, text }));
    const share = ({ key }: WayAround): number => {
      const { gone, times } = outcomes[key] ?? { gone: 0, times: 0 };
      return times < ENOUGH ? 0.5 : (gone + 1) / (times + 2);
    };
    return ways.sort((a, b) => share(b) - share(a)).slice(0, 1);
  });
}

/** Counts how the suggested ways went. */
export function learnWays(outcomes: BlockerOutcomes, keys: readonly string[], isGone: boolean): void {
  for (const key of keys) {
    const { gone, times } = outcomes[key] ?? { gone: 0, times: 0 };
    outcomes[key] = { gone: gone + (isGone ? 1 : 0), times: times + 1 };
  }
}
