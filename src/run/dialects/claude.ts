import { responseCost } from '../../importers/response-cost.ts';
import { isObject, textOf } from '../../json.ts';
import type { Dialect } from './dialect.ts';

/** `claude -p --output-format stream-json`, and the one line of `--output-format json`. */
export const claude: Dialect = ({ type, ...record }) => {
  if (typeof record.session_id !== 'string') return undefined;
  if (type === 'result') {
    const { result, usage, total_cost_usd: usd } = record;
    const cost = responseCost(usage);
    const answer = textOf(result);
    return {
      ...(answer === '' ? {} : { says: answer }),
      ...(cost ? { cost } : {}),
      ...(typeof usd === 'number' ? { usdSoFar: usd } : {}),
      ...(record.is_error === true ? { failed: answer || textOf(record.subtype) || 'it reported an error' } : {}),
    };
  }
  if (type !== 'assistant' || record.parent_tool_use_id || !isObject(record.message)) return {};
  const { content } = record.message;
  const blocks = Array.isArray(content) ? content.filter(isObject) : [];
  const says = blocks.map(({ text }) => textOf(text)).join('');
  const does = blocks.filter((block) => block.type === 'tool_use').map((block) => textOf(block.name));
  return { ...(says === '' ? {} : { says }), ...(does.length > 0 ? { does: does.join(', ') } : {}) };
};
