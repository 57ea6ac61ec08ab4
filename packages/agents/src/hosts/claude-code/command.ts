import { isObject, type JsonObject, objectsOf, textOf } from '@unrut/engine/json';
import { responseCost } from '@unrut/reading/response-cost';
import { type CommandReport, doing, type HostCommand, hasAny } from '../command.ts';

export const claudeCodeCommand: HostCommand = {
  complete: (args) => [
    ...args,
    ...(hasAny(args, '-p', '--print') ? [] : ['-p']),
    ...(hasAny(args, '--output-format') ? [] : ['--output-format', 'stream-json', '--verbose']),
  ],
  resume: (args, conversation) => [
    ...args,
    ...(hasAny(args, '-c', '--continue', '-r', '--resume') ? [] : ['--resume', conversation]),
  ],
  report,
};

/** Reads `claude -p --output-format stream-json`, and the single line of `--output-format json`. */
function report({ type, ...record }: JsonObject): CommandReport | undefined {
  if (typeof record.session_id !== 'string') return undefined;
  const conversation = record.session_id;
  if (type === 'result') {
    const { result, usage, total_cost_usd: usd } = record;
    const cost = responseCost(usage);
    const answer = textOf(result);
    return {
      conversation,
      ...(answer === '' ? {} : { says: answer }),
      ...(cost ? { cost } : {}),
      ...(typeof usd === 'number' ? { usdSoFar: usd } : {}),
      ...(record.is_error === true
        ? { failed: answer || textOf(record.subtype) || 'it reported an error' }
        : {}),
    };
  }
  if (type !== 'assistant' || record.parent_tool_use_id || !isObject(record.message)) return {};
  const { content } = record.message;
  const blocks = objectsOf(content);
  const says = blocks.map(({ text }) => textOf(text)).join('');
  const does = blocks
    .filter((block) => block.type === 'tool_use')
    .map((block) => doing(textOf(block.name), block.input));
  return {
    ...(says === '' ? {} : { says }),
    ...(does.length > 0 ? { does: does.join(', ') } : {}),
  };
}
