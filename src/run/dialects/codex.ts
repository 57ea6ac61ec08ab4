import { tokenCost } from '../../importers/token-cost.ts';
import { isObject, textOf } from '../../json.ts';
import type { Dialect } from './dialect.ts';

/** `codex exec --json`. */
export const codex: Dialect = ({ type, item, usage, error }) => {
  if (type === 'turn.completed' && isObject(usage)) {
    const cost = tokenCost(usage.input_tokens, usage.cached_input_tokens, usage.output_tokens);
    return cost ? { cost } : {};
  }
  if (type === 'turn.failed') return { failed: (isObject(error) && textOf(error.message)) || 'it reported an error' };
  if (type === 'item.completed' && isObject(item)) {
    if (item.type === 'agent_message') return { says: textOf(item.text) };
    return item.type === 'command_execution' ? { does: textOf(item.command) } : {};
  }
  return typeof type === 'string' && /^(?:thread|turn|item)\.\w+$/.test(type) ? {} : undefined;
};
