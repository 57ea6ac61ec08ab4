import { isObject, type JsonObject, objectOf, textOf } from '@unrut/engine/json';
import {
  type HookCall,
  type HookDialect,
  type HookTold,
  hookCall,
  spoken,
} from '@unrut/reading/hook-payload';
import type { Returned } from '@unrut/reading/importer';
import { returnedWith } from '@unrut/reading/returned-with';
import { claudePayload } from '../claude-code/payload.ts';
import { geminiResult } from './parts.ts';

/** Gemini CLI's own events; the others are read like Claude Code's. */
const EVENTS: Record<string, (payload: JsonObject) => HookTold[]> = {
  BeforeTool: (payload) => [{ what: 'calls', call: callOf(payload) }],
  AfterTool: (payload) => [
    { what: 'returned', call: callOf(payload), returned: toolResponse(payload) },
  ],
  BeforeAgent: ({ prompt }) => [{ what: 'person', text: textOf(prompt) }],
  AfterAgent: ({ prompt_response: text }) => spoken('says', text),
  // With the trigger `auto` the hook runs before each turn, mostly without a compression.
  PreCompress: ({ trigger }) => (trigger === 'manual' ? [{ what: 'compacted' }] : []),
  BeforeModel: () => [],
  AfterModel: () => [],
  BeforeToolSelection: () => [],
};

/** Whether only Gemini CLI sends such a payload. */
export const isOfGeminiCli = ({
  hook_event_name: event,
  session_id: session,
}: JsonObject): boolean => typeof session === 'string' && Object.hasOwn(EVENTS, textOf(event));

/** The calls of Gemini CLI have no ids. */
export const geminiCliPayload: HookDialect = (payload) => {
  if (!isOfGeminiCli(payload)) return claudePayload(payload);
  const { hook_event_name: event, session_id: session, timestamp: at } = payload;
  const told = EVENTS[textOf(event)]!(payload);
  return {
    session: textOf(session),
    at,
    told,
    ...(event === 'AfterAgent' ? { isRest: true } : {}),
  };
};

const callOf = ({ tool_name: tool, tool_input: args }: JsonObject): HookCall =>
  hookCall(undefined, tool, args);

/** The outcome of a call in Gemini CLI's format: the model's text, and the displayed one. */
export function toolResponse({ tool_name: name, tool_response: response }: JsonObject): Returned {
  if (!isObject(response)) return returnedWith({ result: response });
  const { llmContent: content, error } = response;
  const parts = [
    {
      functionResponse: {
        name,
        response: isObject(error) ? { error: content } : { output: content },
      },
    },
  ];
  return geminiResult(parts, undefined, objectOf(error).type);
}
