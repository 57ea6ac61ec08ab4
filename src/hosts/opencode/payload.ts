import { isObject, type JsonObject, objectOf, textOf } from '../../json.ts';
import type { HookCall, HookDialect, HookTold } from '../reading/hook-payload.ts';
import type { Returned } from '../reading/importer.ts';
import { returnedBy, whatWasCalled } from './response.ts';

type Read = (payload: JsonObject) => HookTold[];

/** What the plugin is told by OpenCode and hands on. */
export type OpencodeHook = 'chat.message' | 'event' | 'experimental.text.complete' | 'tool.execute.after' | 'tool.execute.before';

const HOOKS: Record<OpencodeHook, Read> = {
  'tool.execute.before': ({ input, output }) => [{ what: 'calls', call: callOf(objectOf(input), objectOf(output).args) }],
  'tool.execute.after': ({ input, output }) => {
    const { tool, args } = objectOf(input);
    return [{ what: 'returned', call: callOf(objectOf(input), args), returned: resultOf(tool, objectOf(output)) }];
  },
  'chat.message': ({ output, agent }) => {
    const text = wordsIn(objectOf(output).parts);
    // To a nested agent its parent speaks.
    return text === '' || agent !== undefined ? [] : [{ what: 'person', text }];
  },
  'experimental.text.complete': ({ output }) => {
    const text = textOf(objectOf(output).text);
    return text.trim() === '' ? [] : [{ what: 'says', text }];
  },
  event: ({ event }) => {
    const { type, properties } = objectOf(event);
    if (type === 'session.compacted') return [{ what: 'compacted' }];
    if (type === 'session.deleted') return [{ what: 'ended' }];
    return type === 'message.part.updated' ? failedPart(objectOf(objectOf(properties).part)) : [];
  },
};

export const isOfOpencode = ({ hook, session }: JsonObject): boolean =>
  typeof hook === 'string' && typeof session === 'string' && Object.hasOwn(HOOKS, hook);

/** What the plugin hands on of what OpenCode tells it. */
export const opencodePayload: HookDialect = (payload) => {
  if (!isOfOpencode(payload)) return undefined;
  const { hook, session, agent } = payload;
  return { session: textOf(session), agent: textOf(agent) || undefined, told: HOOKS[hook as OpencodeHook](payload) };
};

const callOf = ({ callID, tool }: JsonObject, args: unknown): HookCall => ({
  id: textOf(callID) || undefined,
  ...whatWasCalled(textOf(tool), args),
});

/** Tools of MCP servers give content, others a text. */
function resultOf(tool: unknown, { output, content, metadata, isError }: JsonObject): Returned {
  if (output === undefined && Array.isArray(content)) return { result: content, ...(isError === true ? { error: true } : {}) };
  return returnedBy(tool, { output, metadata });
}

/** The hook after a call is not called when the tool throws; then only its part tells of the end. */
function failedPart(part: JsonObject): HookTold[] {
  const state = objectOf(part.state);
  if (part.type !== 'tool' || state.status !== 'error') return [];
  return [{ what: 'returned', call: callOf(part, state.input), returned: returnedBy(part.tool, state) }];
}

const wordsIn = (parts: unknown): string =>
  (Array.isArray(parts) ? parts : [])
    .filter((part) => isObject(part) && part.type === 'text' && part.synthetic !== true && part.ignored !== true)
    .map((part) => textOf(part.text))
    .join('\n');
