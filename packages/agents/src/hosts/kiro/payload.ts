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

/** By the names of version 3; those of version 2 begin with a small letter. */
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

/** The name of an event, in whatever case it begins. */
export const kiroEvent = ({ hook_event_name: event }: JsonObject): string =>
  textOf(event).replace(/^[a-z]/, (letter) => letter.toUpperCase());

/**
 * Small names, or no session, tell it from those who speak as Claude Code does. Cursor, which has
 * some of the names, says that it is Cursor.
 */
export const isOfKiro = (payload: JsonObject): boolean =>
  Object.hasOwn(EVENTS, kiroEvent(payload)) &&
  (kiroEvent(payload) !== payload.hook_event_name || payload.session_id === undefined) &&
  typeof payload.cwd === 'string' &&
  !('cursor_version' in payload || 'conversation_id' in payload || 'transcript_path' in payload);

/** Calls have no ids, and in version 2 sessions have none: then the folder stands for it. */
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
