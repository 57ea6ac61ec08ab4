import { tokenCost } from '../../importers/token-cost.ts';
import { isObject, textOf } from '../../json.ts';
import type { Dialect } from './dialect.ts';

/** `opencode run --format json`. */
export const opencode: Dialect = ({ type, sessionID, part, error }) => {
  if (typeof sessionID !== 'string') return undefined;
  if (type === 'error') {
    const data = isObject(error) && isObject(error.data) ? error.data : {};
    return { failed: textOf(data.message) || (isObject(error) && textOf(error.name)) || 'it reported an error' };
  }
  if (!isObject(part)) return {};
  if (type === 'text') return { says: textOf(part.text) };
  if (type === 'tool_use') return { does: textOf(part.tool) };
  if (type !== 'step_finish' || !isObject(part.tokens)) return {};
  const { input, output } = part.tokens;
  // What was read from a cache is not part of the input here.
  const cost = { ...tokenCost(input, 0, output), ...(typeof part.cost === 'number' ? { usd: part.cost } : {}) };
  return { cost };
};
