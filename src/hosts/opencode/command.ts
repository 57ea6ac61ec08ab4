import { isObject, type JsonObject, textOf } from '../../json.ts';
import { type CommandReport, doing, type HostCommand, hasAny } from '../command.ts';
import { tokenCost } from '../reading/response-cost.ts';

export const opencodeCommand: HostCommand = {
  complete: (args) => [...(hasAny(args, 'run') ? args : ['run', ...args]), ...(hasAny(args, '--format') ? [] : ['--format', 'json'])],
  resume: (args, conversation) => [...args, ...(hasAny(args, '-c', '--continue', '-s', '--session') ? [] : ['--session', conversation])],
  report,
};

/** `opencode run --format json`. */
function report({ type, sessionID, part, error }: JsonObject): CommandReport | undefined {
  if (typeof sessionID !== 'string') return undefined;
  if (type === 'error') {
    const data = isObject(error) && isObject(error.data) ? error.data : {};
    return { failed: textOf(data.message) || (isObject(error) && textOf(error.name)) || 'it reported an error' };
  }
  if (!isObject(part)) return { conversation: sessionID };
  if (type === 'text') return { says: textOf(part.text) };
  if (type === 'tool_use')
    return { does: doing(textOf(part.tool), isObject(part.state) ? part.state.input : undefined), conversation: sessionID };
  if (type !== 'step_finish' || !isObject(part.tokens)) return {};
  const { input, output } = part.tokens;
  // What was read from a cache is not part of the input here.
  const cost = { ...tokenCost(input, 0, output), ...(typeof part.cost === 'number' ? { usd: part.cost } : {}) };
  return { cost, conversation: sessionID };
}
