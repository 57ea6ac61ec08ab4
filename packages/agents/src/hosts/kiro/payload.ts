import { isObject, type JsonObject, textOf } from '@unrut/engine/json';
import {
  type HookCall,
  type HookDialect,
  type HookTold,
  hookCall,
  spoken,
} from '@unrut/reading/hook-payload';
import type { Returned } from '@unrut/reading/importer';
import { returnedWith } from '@unrut/reading/returned-with';

type Read = (payload: JsonObject) => HookTold[];

const nothing: Read = () => [];

/** Event names of version 3; those of version 2 begin in lower case. */
const EVENTS: Record<string, Read> = {
  PreToolUse: (payload) => [{ what: 'calls', call: callOf(payload) }],
  PostToolUse: (payload) => [
    { what: 'returned', call: callOf(payload), returned: returnedBy(payload) },
  ],
  UserPromptSubmit: ({ prompt }) => spoken('person', prompt),
  Stop: ({ assistant_response: text }) => spoken('says', text),
  AgentSpawn: nothing,
  SessionStart: nothing,
};

/** The event's name with a capital first letter. */
export const kiroEvent = ({ hook_event_name: event }: JsonObject): string =>
  textOf(event).replace(/^[a-z]/, (letter) => letter.toUpperCase());

/**
 * Lower-case names, or no session, distinguish it from hosts with Claude Code's format. Cursor
 * shares some names, but identifies itself.
 */
export const isOfKiro = (payload: JsonObject): boolean =>
  Object.hasOwn(EVENTS, kiroEvent(payload)) &&
  (kiroEvent(payload) !== payload.hook_event_name || payload.session_id === undefined) &&
  typeof payload.cwd === 'string' &&
  !('cursor_version' in payload || 'conversation_id' in payload || 'transcript_path' in payload);

/** Calls have no ids. In version 2 sessions have none either; the folder identifies them. */
export const kiroPayload: HookDialect = (payload) => {
  const event = kiroEvent(payload);
  if (!Object.hasOwn(EVENTS, event)) return undefined;
  return { session: textOf(payload.session_id) || undefined, told: EVENTS[event]!(payload) };
};

const callOf = ({ tool_name: tool, tool_input: args }: JsonObject): HookCall =>
  hookCall(undefined, tool, args);

function returnedBy({ tool_response: response }: JsonObject): Returned {
  if (!isObject(response)) return returnedWith({ result: response });
  const { success, result, error } = response;
  return returnedWith({
    result: result ?? error,
    error: typeof success === 'boolean' ? !success : undefined,
  });
}
