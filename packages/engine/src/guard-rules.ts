import type { Capability } from './event.ts';
import { present } from './json.ts';

/** The rules of a guard that may be narrowed for one of its users. */
export interface GuardRules {
  /** Plan and record, but never act. Holds if any of the combined rules says so. */
  shadow?: boolean | undefined;
  /** Whether somebody is asked on `escalate`. The given rules win over the guard's own. */
  attended?: boolean | undefined;
  /** What can be done. Only what all of the combined rules name remains. */
  can?: readonly Capability[] | undefined;
}

/**
 * A guard's own rules, combined with those that are given to one of its users. `usual` applies
 * where neither says whether somebody is asked.
 */
export function combineRules(
  own: GuardRules,
  given: GuardRules,
  usual: Pick<GuardRules, 'attended'> = {},
): { shadow?: boolean; attended?: boolean; can?: readonly Capability[] } {
  const shadow = given.shadow || own.shadow;
  const attended = given.attended ?? own.attended ?? usual.attended;
  const can =
    own.can && given.can
      ? own.can.filter((each) => given.can!.includes(each))
      : (given.can ?? own.can);
  return present({ shadow, attended, can });
}
