import { isObject, type JsonObject, objectOf, textOf } from '@unrut/engine/json';
import { spentIn } from '@unrut/reading/response-cost';
import { type CommandReport, doing, type HostCommand, hasAny } from '../command.ts';

export const opencodeCommand: HostCommand = {
  complete: (args) => [
    ...(hasAny(args, 'run') ? args : ['run', ...args]),
    ...(hasAny(args, '--format') ? [] : ['--format', 'json']),
  ],
  resume: (args, conversation) => [
    ...args,
    ...(hasAny(args, '-c', '--continue', '-s', '--session') ? [] : ['--session', conversation]),
  ],
  report,
};

/** `opencode run --format json`. */
function report({ type, sessionID, part, error }: JsonObject): CommandReport | undefined {
  if (typeof sessionID !== 'string') return undefined;
  if (type === 'error') {
    const data = objectOf(objectOf(error).data);
    return {
      failed:
        textOf(data.message) || (isObject(error) && textOf(error.name)) || 'it reported an error',
    };
  }
  if (!isObject(part)) return { conversation: sessionID };
  if (type === 'text') return { says: textOf(part.text) };
  if (type === 'tool_use')
    return { does: doing(textOf(part.tool), objectOf(part.state).input), conversation: sessionID };
  if (type !== 'step_finish' || !isObject(part.tokens)) return {};
  // Cached tokens are not part of the input here.
  return {
    cost: spentIn(part, { input: 'tokens.input', output: 'tokens.output', usd: 'cost' }),
    conversation: sessionID,
  };
}
