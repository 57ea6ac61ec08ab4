import { type JsonObject, listOf, objectOf, textOf } from '@unrut/engine/json';
import { type HookCall, hookCall, spoken } from '@unrut/reading/hook-payload';
import { pluginDialect } from '@unrut/reading/plugin-payload';
import { piResult } from '../pi/result.ts';

/** OpenClaw's events that the plugin passes on. */
export type OpenclawHook =
  | 'after_compaction'
  | 'after_tool_call'
  | 'before_agent_run'
  | 'before_tool_call'
  | 'llm_output'
  | 'session_end'
  | 'tool_result_middleware';

/** Reads the payloads of the plugin. */
export const openclawPlugin = pluginDialect<OpenclawHook>({
  before_tool_call: ({ event }) => [{ what: 'calls', call: callOf(objectOf(event)) }],
  tool_result_middleware: ({ event }) => [returned(objectOf(event))],
  after_tool_call: ({ event }) => [returned(objectOf(event))],
  before_agent_run: ({ event }) => spoken('person', objectOf(event).prompt),
  llm_output: ({ event }) =>
    listOf(objectOf(event).assistantTexts).flatMap((text) => spoken('says', text)),
  after_compaction: () => [{ what: 'compacted' }],
  session_end: ({ event }) => [
    { what: 'ended', outcome: textOf(objectOf(event).reason) || undefined },
  ],
});

const callOf = ({ toolCallId, toolName, args }: JsonObject): HookCall =>
  hookCall(toolCallId, toolName, args);

const returned = (event: JsonObject) =>
  ({ what: 'returned', call: callOf(event), returned: piResult(event) }) as const;
