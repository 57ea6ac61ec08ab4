import { type JsonObject, objectOf, textOf } from '../../json.ts';
import type { HookCall, HookDialect, HookTold } from '../reading/hook-payload.ts';
import { contentBlocks } from '../reading/message-content.ts';
import { piResult } from './result.ts';

/** What the extension is told by pi and hands on. */
export type PiHook = 'input' | 'message_end' | 'session_compact' | 'session_shutdown' | 'tool_call' | 'tool_result';

const HOOKS: Record<PiHook, (event: JsonObject) => HookTold[]> = {
  tool_call: (event) => [{ what: 'calls', call: callOf(event) }],
  tool_result: (event) => [{ what: 'returned', call: callOf(event), returned: piResult(event) }],
  // What extensions put in, nobody typed.
  input: ({ text, source }) => (textOf(text).trim() === '' || source === 'extension' ? [] : [{ what: 'person', text: textOf(text) }]),
  message_end: ({ message }) => contentBlocks(objectOf(message).content).flatMap(saidIn),
  session_compact: () => [{ what: 'compacted' }],
  session_shutdown: ({ reason }) => [{ what: 'ended', outcome: textOf(reason) || undefined }],
};

export const isOfPi = ({ hook, session }: JsonObject): boolean =>
  typeof hook === 'string' && typeof session === 'string' && Object.hasOwn(HOOKS, hook);

/** What the extension hands on of what pi tells it. */
export const piPayload: HookDialect = (payload) => {
  if (!isOfPi(payload)) return undefined;
  const { hook, session, event } = payload;
  return { session: textOf(session), told: HOOKS[hook as PiHook](objectOf(event)) };
};

const callOf = ({ toolCallId, toolName, input }: JsonObject): HookCall => ({
  id: textOf(toolCallId) || undefined,
  tool: textOf(toolName),
  args: input,
});

function saidIn({ type, text, thinking }: JsonObject): HookTold[] {
  const said = textOf(type === 'thinking' ? thinking : type === 'text' ? text : '');
  return said.trim() === '' ? [] : [{ what: type === 'thinking' ? 'thinks' : 'says', text: said }];
}
