import type { Fingerprint } from '../fingerprint/fingerprint.ts';
import { jaccard } from '../fingerprint/words.ts';
import { push } from '../recent.ts';
import type { Evidence } from '../signal.ts';

/** An action, with the novelty and the size of its result. */
export interface MadeAction {
  tool: string;
  key: string;
  shape: string;
  words: number[];
  step: number;
  batch: string;
  /** Digest of the result. */
  digest: string;
  novelty: number;
  size: number;
}

interface Limits {
  threshold: number;
  equalAfter: number;
  alikeActs: number;
  staleActs: number;
  shortestAct: number;
  shortestFruitless: number;
}

const MAX_ACTIONS = 10;
const MAX_WORDS = 16;

/**
 * Similar actions in other words. Each result may be partly new, but together they show little that
 * is new.
 */
export function similarAction(
  actions: MadeAction[],
  { call, result, step, batch, progress }: Fingerprint,
  limits: Limits,
): Evidence | null {
  if (!call || !result || result.error || result.echo || result.size < limits.shortestFruitless)
    return null;
  const { key, shape, tool } = call;
  const { digest, novelty, size } = result;
  const words = call.words.slice(0, MAX_WORDS);
  const now: MadeAction = { tool, batch, key, shape, words, step, digest, novelty, size };
  const alike = alikeTo(actions, now, limits.alikeActs);
  push(actions, now, MAX_ACTIONS);
  const equal = alike.filter((each) => each.digest === digest).length + 1;
  const [first] = alike;
  if (!first || progress === 'moved' || progress === 'falling') return null;
  if (!isStale(alike, now, limits) && equal < limits.equalAfter) return null;
  return {
    variant: 'reworded-acts',
    count: alike.length + 1,
    since: first.step,
    keys: [...new Set([...alike.map((each) => each.key), key])],
    // The action may have had an effect that its result does not show.
    cap: 'note',
    strength: 0.6,
    facts: { tool },
  };
}

/**
 * Earlier actions like this one. A call that differs only in a number asks for another page, and
 * calls of one batch are one plan.
 */
const alikeTo = (actions: readonly MadeAction[], now: MadeAction, share: number): MadeAction[] =>
  actions.filter(
    (each) =>
      each.tool === now.tool &&
      each.batch !== now.batch &&
      (each.shape !== now.shape || each.key === now.key) &&
      jaccard(each.words, now.words) >= share,
  );

/** Whether the long results of these actions together show little that is new. */
function isStale(
  alike: readonly MadeAction[],
  { size, novelty }: MadeAction,
  { threshold, staleActs, shortestAct }: Limits,
): boolean {
  const long = alike.filter((each) => each.size >= shortestAct);
  const stale = long.reduce((sum, each) => sum + 1 - each.novelty, 1 - novelty);
  return (
    size >= shortestAct && novelty <= 0.5 && long.length + 1 >= threshold && stale >= staleActs
  );
}
