import { actionPoint, isReturn, type ScreenAction } from './action.ts';
import type { Look } from './eyes.ts';
import { around, isEqual, type Tiles } from './frame.ts';
import type { Target } from './page-report.ts';
import { isHighRisk, isSubmitReasoning } from './says.ts';

/** The square around a click that shows its effect first, in pixels. */
export const CROP = 200;

/** How often an action that should have shown an effect was checked, and had none. */
export interface PerceptualSummary {
  checked: number;
  no_effect: number;
}

/** Return, or a click on what submits, confirms, buys, sends, deletes or saves. */
export function isHighRiskAction(
  action: ScreenAction,
  target: Target | null,
  reasoning: string,
): boolean {
  if (isReturn(action)) return true;
  if ((action.type !== 'click' && action.type !== 'double_click') || target?.field) return false;
  return target?.submits === true || isHighRisk(target?.name ?? '') || isSubmitReasoning(reasoning);
}

/**
 * Why an action seems to have had no effect, or null when something has changed. It only observes.
 */
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
