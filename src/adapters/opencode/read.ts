import type { Returned } from '../../importers/importer.ts';
import { returnedBy, whatWasCalled } from '../../importers/opencode/opencode-response.ts';
import { isObject, type JsonObject, textOf } from '../../json.ts';
import type { HookCall, HookDialect, HookTold } from '../hook-payload.ts';

type Read = (payload: JsonObject) => HookTold[];

const within = (holder: unknown): JsonObject => (isObject(holder) ? holder : {});

const HOOKS: Record<string, Read> = {
  'tool.execute.before': ({ input, output }) => [{ what: 'calls', call: callOf(within(input), within(output).args) }],
  'tool.execute.after': ({ input, output }) => {
    const { tool, args } = within(input);
    return [{ what: 'returned', call: callOf(within(input), args), returned: resultOf(tool, within(output)) }];
  },
  'chat.message': ({ output, agent }) => {
    const text = wordsIn(within(output).parts);
    // To a nested agent its parent speaks.
    return text === '' || agent !== undefined ? [] : [{ what: 'person', text }];
  },
  'experimental.text.complete': ({ output }) => {
    const text = textOf(within(output).text);
    return text.trim() === '' ? [] : [{ what: 'says', text }];
  },
  event: ({ event }) => {
    const { type, properties } = within(event);
    if (type === 'session.compacted') return [{ what: 'compacted' }];
    if (type === 'session.deleted') return [{ what: 'ended' }];
    return type === 'message.part.updated' ? failedPart(within(within(properties).part)) : [];
  },
};

/** What the plugin hands on of what OpenCode tells it. */
export const opencodeHooks: HookDialect = (payload) => {
  const { hook, session, agent } = payload;
  if (typeof hook !== 'string' || typeof session !== 'string') return undefined;
  const about = { session, agent: textOf(agent) || undefined };
  return Object.hasOwn(HOOKS, hook) ? { ...about, told: HOOKS[hook]!(payload) } : { ...about, told: [], unknown: hook.slice(0, 40) };
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
  const state = within(part.state);
  if (part.type !== 'tool' || state.status !== 'error') return [];
  return [{ what: 'returned', call: callOf(part, state.input), returned: returnedBy(part.tool, state) }];
}

const wordsIn = (parts: unknown): string =>
  (Array.isArray(parts) ? parts : [])
    .filter((part) => isObject(part) && part.type === 'text' && part.synthetic !== true && part.ignored !== true)
    .map((part) => textOf(part.text))
    .join('\n');
