import { isObject, type JsonObject, objectOf, textOf } from '@unrut/engine/json';
import { spentIn } from '@unrut/reading/response-cost';
import { type CommandReport, doing, type HostCommand, hasAny } from '../command.ts';

export const geminiCliCommand: HostCommand = {
  complete: (args) => [
    ...args,
    ...(hasAny(args, '-o', '--output-format') ? [] : ['--output-format', 'stream-json']),
  ],
  report,
};

/**
 * Reads `gemini --output-format stream-json`, and the single document of `--output-format json`.
 */
function report({ type, ...record }: JsonObject): CommandReport | undefined {
  const { stats } = record;
  if (type === undefined && isObject(stats) && isObject(stats.models)) {
    const tokens = Object.values(stats.models).map((model) => objectOf(objectOf(model).tokens));
    const says = textOf(record.response);
    return {
      ...(says === '' ? {} : { says }),
      ...costOf(tokens, 'prompt', 'candidates'),
      ...failureOf(record),
    };
  }
  if (type === 'message' && typeof record.role === 'string' && 'content' in record)
    return record.role === 'assistant'
      ? { says: textOf(record.content), isMore: record.delta === true }
      : {};
  if (type === 'tool_use' && typeof record.tool_name === 'string')
    return { does: doing(record.tool_name, record.parameters) };
  if (type === 'result' && typeof record.status === 'string' && isObject(stats))
    return { ...costOf([stats], 'input_tokens', 'output_tokens'), ...failureOf(record) };
  return undefined;
}

function costOf(
  counts: readonly JsonObject[],
  input: string,
  output: string,
): { cost?: { tokens: number } } {
  const tokens = counts.reduce(
    (sum, each) => sum + (spentIn(each, { input, cached: 'cached', output })?.tokens ?? 0),
    0,
  );
  return tokens > 0 ? { cost: { tokens } } : {};
}

const failureOf = ({ error }: JsonObject): { failed?: string } =>
  isObject(error) ? { failed: textOf(error.message) || 'it reported an error' } : {};
