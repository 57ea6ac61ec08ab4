import { actionPoint, isReturn, type ScreenAction } from './action.ts';
import type { Look } from './eyes.ts';
import { around, isEqual, type Tiles } from './frame.ts';
import type { Target } from './page-report.ts';
import { isHighRisk, isSubmitReasoning } from './says.ts';

/** The square around a click where its effect shows first, in pixels. */
export const CROP = 200;

/** Number of actions that were checked for a visible effect, and of those without one. */
export interface PerceptualSummary {
  checked: number;
  no_effect: number;
}

/**
 * Whether an action submits, confirms, buys, sends, deletes or saves: Return, or a click on such a
 * button.
 */
export function isHighRiskAction(
  action: ScreenAction,
  target: Target | null,
  reasoning: string,
): boolean {
  if (isReturn(action)) return true;
  if ((action.type !== 'click' && action.type !== 'double_click') || target?.field) return false;
  return target?.submits === true || isHighRisk(target?.name ?? '') || isSubmitReasoning(reasoning);
}

/** Why an action seems to have had no effect; null if something changed. Only observes. */
export function missingEffect(
  action: ScreenAction,
  before: Look,
  after: Look,
  noise: Tiles,
): string | null {
  if (before.page.url !== after.page.url || before.detail !== after.detail) return null;
  if (!isEqual(before.frame, after.frame, noise)) return null;
  const point = actionPoint(action);
  const where =
    point && around(point, CROP, after.frame).size > 0
      ? ` and the ${CROP} × ${CROP} pixels around the click are`
      : ' is';
  return `WARNING: no observed effect: the whole screen${where} exactly as before.`;
}
