import { type JsonObject, objectOf, objectsOf, textOf } from '@unrut/engine/json';
import { type HookCall, type HookTold, hookCall, spoken } from '@unrut/reading/hook-payload';
import type { Returned } from '@unrut/reading/importer';
import { pluginDialect } from '@unrut/reading/plugin-payload';
import { returnedBy, whatWasCalled } from './response.ts';

/** OpenCode's events that the plugin passes on. */
export type OpencodeHook =
  | 'chat.message'
  | 'event'
  | 'experimental.text.complete'
  | 'session.idle'
  | 'tool.execute.after'
  | 'tool.execute.before';

const HOOKS: Record<OpencodeHook, (payload: JsonObject) => HookTold[]> = {
  'tool.execute.before': ({ input, output }) => [
    { what: 'calls', call: opencodeCall(objectOf(input), objectOf(output).args) },
  ],
  'tool.execute.after': ({ input, output }) => {
    const { tool, args } = objectOf(input);
    return [
      {
        what: 'returned',
        call: opencodeCall(objectOf(input), args),
        returned: resultOf(tool, objectOf(output)),
      },
    ];
  },
  'chat.message': ({ output, agent }) => {
    const text = wordsIn(objectOf(output).parts);
    // To a nested agent its parent speaks.
    return text === '' || agent !== undefined ? [] : [{ what: 'person', text }];
  },
  'experimental.text.complete': ({ output }) => spoken('says', objectOf(output).text),
  // The agent is idle, after a message or an interruption.
  'session.idle': ({ output }) => [{ what: 'says', text: textOf(objectOf(output).text) }],
  event: ({ event }) => {
    const { type, properties } = objectOf(event);
    if (type === 'session.compacted') return [{ what: 'compacted' }];
    if (type === 'session.deleted') return [{ what: 'ended' }];
    return type === 'message.part.updated' ? failedPart(objectOf(objectOf(properties).part)) : [];
  },
};

/** Reads the payloads of the plugin. */
export const opencodePlugin = pluginDialect<OpencodeHook>(HOOKS, 'session.idle');

/** A call in OpenCode's format. */
export function opencodeCall({ callID, tool: name }: JsonObject, given: unknown): HookCall {
  const { tool, args } = whatWasCalled(textOf(name), given);
  return hookCall(callID, tool, args);
}

/** MCP tools return content, others a text. */
function resultOf(tool: unknown, { output, content, metadata, isError }: JsonObject): Returned {
  if (output === undefined && Array.isArray(content))
    return { result: content, ...(isError === true ? { error: true } : {}) };
  return returnedBy(tool, { output, metadata });
}

/**
 * If the tool throws, the hook after a call does not run; only the message part reports the end.
 */
function failedPart(part: JsonObject): HookTold[] {
  const state = objectOf(part.state);
  if (part.type !== 'tool' || state.status !== 'error') return [];
  return [
    {
      what: 'returned',
      call: opencodeCall(part, state.input),
      returned: returnedBy(part.tool, state),
    },
  ];
}

const wordsIn = (parts: unknown): string =>
  objectsOf(parts)
    .filter((part) => part.type === 'text' && part.synthetic !== true && part.ignored !== true)
    .map((part) => textOf(part.text))
    .join('\n');
