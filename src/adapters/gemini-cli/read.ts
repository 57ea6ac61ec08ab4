import { geminiResult } from '../../importers/gemini-cli/gemini-parts.ts';
import type { Returned } from '../../importers/importer.ts';
import { isObject, type JsonObject, textOf } from '../../json.ts';
import { claudeHooks } from '../claude-code/read.ts';
import type { HookCall, HookDialect, HookTold } from '../hook-payload.ts';

/** What Gemini CLI's own events tell; those it shares with Claude Code are read as Claude Code's. */
const EVENTS: Record<string, (payload: JsonObject) => HookTold[]> = {
  BeforeTool: (payload) => [{ what: 'calls', call: callOf(payload) }],
  AfterTool: (payload) => [{ what: 'returned', call: callOf(payload), returned: toolResponse(payload) }],
  BeforeAgent: ({ prompt }) => [{ what: 'person', text: textOf(prompt) }],
  AfterAgent: ({ prompt_response: text }) => (textOf(text).trim() === '' ? [] : [{ what: 'says', text: textOf(text) }]),
  PreCompress: () => [{ what: 'compacted' }],
  BeforeModel: () => [],
  AfterModel: () => [],
  BeforeToolSelection: () => [],
};

/** The payloads that only Gemini CLI gives. Its calls have no ids. */
export const geminiHooks: HookDialect = (payload) => {
  const { hook_event_name: event, session_id: session, timestamp: at } = payload;
  const read = typeof session === 'string' && Object.hasOwn(EVENTS, textOf(event)) ? EVENTS[textOf(event)] : undefined;
  return read && { session: textOf(session), at, told: read(payload) };
};

/** All payloads of Gemini CLI. */
export const readGemini: HookDialect = (payload) => geminiHooks(payload) ?? claudeHooks(payload);

const callOf = ({ tool_name: tool, tool_input: args }: JsonObject): HookCall => ({ tool: textOf(tool), args });

/** What came of a call, as the tools of Gemini CLI answer: what the model reads, beside what a person is shown. */
export function toolResponse({ tool_name: name, tool_response: response }: JsonObject): Returned {
  if (!isObject(response)) return response === undefined ? {} : { result: response };
  const { llmContent: content, error } = response;
  const parts = [{ functionResponse: { name, response: isObject(error) ? { error: content } : { output: content } } }];
  return geminiResult(parts, undefined, isObject(error) ? error.type : undefined);
}
