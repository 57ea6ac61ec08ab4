import { type JsonObject, objectOf, textOf } from '@unrut/engine/json';
import { type HookCall, type HookTold, hookCall, spoken } from '@unrut/reading/hook-payload';
import { contentBlocks } from '@unrut/reading/message-content';
import { pluginDialect } from '@unrut/reading/plugin-payload';
import { piResult } from './result.ts';

/** Pi's events that the extension passes on. */
export type PiHook =
  | 'agent_end'
  | 'input'
  | 'message_end'
  | 'session_compact'
  | 'session_shutdown'
  | 'tool_call'
  | 'tool_result';

const saidBy = ({ event }: JsonObject): HookTold[] =>
  contentBlocks(objectOf(objectOf(event).message).content).flatMap(saidIn);

const HOOKS: Record<PiHook, (payload: JsonObject) => HookTold[]> = {
  tool_call: ({ event }) => [{ what: 'calls', call: callOf(objectOf(event)) }],
  tool_result: ({ event }) => [
    { what: 'returned', call: callOf(objectOf(event)), returned: piResult(objectOf(event)) },
  ],
  input({ event }) {
    const { text, source } = objectOf(event);
    // Texts of extensions were not typed by the user.
    return source === 'extension' ? [] : spoken('person', text);
  },
  message_end: saidBy,
  // The agent is idle, after a message or an interruption.
  agent_end: (payload) => {
    const said = saidBy(payload);
    return said.at(-1)?.what === 'says' ? said : [...said, { what: 'says', text: '' }];
  },
  session_compact: () => [{ what: 'compacted' }],
  session_shutdown: ({ event }) => [
    { what: 'ended', outcome: textOf(objectOf(event).reason) || undefined },
  ],
};

/** Reads the payloads of the extension. */
export const piPlugin = pluginDialect<PiHook>(HOOKS, 'agent_end');

const callOf = ({ toolCallId, toolName, input }: JsonObject): HookCall =>
  hookCall(toolCallId, toolName, input);

const saidIn = ({ type, text, thinking }: JsonObject): HookTold[] =>
  type === 'thinking' ? spoken('thinks', thinking) : type === 'text' ? spoken('says', text) : [];
