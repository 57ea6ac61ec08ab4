import type { Path, ValueProblem } from '@unrut/engine/schema/sentences';

/** Keys that say whether and how far Unrut may act. */
const LIMITS: readonly unknown[] = ['preset', 'shadow', 'attended', 'skip'];

/**
 * Whether Unrut might act where the user meant it not to, if this were merely ignored. Then it only
 * records.
 */
export function isDecisive({ path: given, isUnknown, meant }: ValueProblem): boolean {
  if (isUnknown && meant === undefined) return false;
  const path: Path = meant === undefined ? given : [...given.slice(0, -1), meant];
  const isOfPiece = path[0] === 'detectors' || path[0] === 'recoveries';
  return (
    path.length === 0 ||
    LIMITS.includes(path[0]) ||
    (isOfPiece && (path.length <= 2 || path[2] === 'rungs'))
  );
}

/** What is wrong, and what comes of it. */
export const problemLine = (problem: ValueProblem): string =>
  `${problem.text} ${isDecisive(problem) ? 'Until this is fixed, Unrut runs in record-only mode.' : 'Ignored.'}`;

/** Each name in `allow` is a permission of its own. */
export const isLoose = ([key, ...inner]: Path): boolean => key === 'allow' && inner.length === 0;

/** A command and an address may hold secrets. */
export const mayHoldSecret = ([key]: Path): boolean => key === 'notify';
