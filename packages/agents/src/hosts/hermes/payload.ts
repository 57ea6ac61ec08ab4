import { type JsonObject, objectOf, textOf } from '@unrut/engine/json';
import { type HookCall, hookCall, spoken } from '@unrut/reading/hook-payload';
import { pluginDialect } from '@unrut/reading/plugin-payload';
import { hermesResult } from './result.ts';

/** Hermes's events that the plugin passes on. */
type HermesHook =
  | 'on_session_finalize'
  | 'post_llm_call'
  | 'pre_llm_call'
  | 'pre_tool_call'
  | 'transform_tool_result';

/** Reads the payloads of the plugin. */
export const hermesPlugin = pluginDialect<HermesHook>({
  pre_tool_call: ({ event }) => [{ what: 'calls', call: callOf(objectOf(event)) }],
  transform_tool_result({ event }) {
    const told = objectOf(event);
    return [
      { what: 'returned', call: callOf(told), returned: hermesResult(told.result, told.status) },
    ];
  },
  pre_llm_call: ({ event }) => spoken('person', objectOf(event).user_message),
  post_llm_call: ({ event }) => spoken('says', objectOf(event).assistant_response),
  on_session_finalize: ({ event }) => [
    { what: 'ended', outcome: textOf(objectOf(event).reason) || undefined },
  ],
});

const callOf = ({ tool_call_id, tool_name, args }: JsonObject): HookCall =>
  hookCall(tool_call_id, tool_name, args);
