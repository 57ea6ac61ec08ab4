import { isObject, type JsonObject, textOf } from '@unrut/engine/json';
import { type CommandReport, type HostCommand, hasAny } from '../command.ts';
import { codexCost } from './result.ts';

export const codexCommand: HostCommand = {
  complete: (args) => [
    ...(hasAny(args, 'exec', 'e') ? args : ['exec', ...args]),
    ...(hasAny(args, '--json') ? [] : ['--json']),
    ...(hasAny(args, '-') ? [] : ['-']),
  ],
  resume: (args, conversation) => {
    const at = args.findIndex((arg) => arg === 'exec' || arg === 'e');
    return hasAny(args, 'resume')
      ? [...args]
      : [
          ...args.slice(0, at + 1),
          'resume',
          ...args.slice(at + 1, -1),
          conversation,
          ...args.slice(-1),
        ];
  },
  report,
};

/** `codex exec --json`. */
function report({
  type,
  item,
  usage,
  error,
  thread_id: thread,
}: JsonObject): CommandReport | undefined {
  if (type === 'thread.started' && typeof thread === 'string') return { conversation: thread };
  if (type === 'turn.completed' && isObject(usage)) {
    return { cost: codexCost(usage) };
  }
  if (type === 'turn.failed')
    return { failed: (isObject(error) && textOf(error.message)) || 'it reported an error' };
  if (type === 'item.completed' && isObject(item)) {
    if (item.type === 'agent_message') return { says: textOf(item.text) };
    return item.type === 'command_execution' ? { does: textOf(item.command) } : {};
  }
  return typeof type === 'string' && /^(?:thread|turn|item)\.\w+$/.test(type) ? {} : undefined;
}
