import { type JsonObject, textOf } from '@unrut/engine/json';
import {
  type HookCall,
  type HookDialect,
  type HookTold,
  hookCall,
  spoken,
} from '@unrut/reading/hook-payload';

type Read = (payload: JsonObject) => HookTold[];

const nothing: Read = () => [];

/** No hook reports results. */
const EVENTS: Record<string, Read> = {
  PreToolUse: (payload) => [{ what: 'calls', call: callOf(payload) }],
  PostToolUse: (payload) => [
    { what: 'returned', call: callOf(payload), returned: { error: false } },
  ],
  PostToolUseFailure: (payload) => [
    { what: 'returned', call: callOf(payload), returned: { error: true } },
  ],
  UserPromptSubmit: ({ message }) => spoken('person', message),
  Stop: ({ last_assistant_message: text }) => spoken('says', text),
  SessionEnd: () => [{ what: 'ended' }],
  SessionStart: nothing,
  PreToolUseResult: nothing,
  BeforeReadFile: nothing,
  AfterFileEdit: nothing,
  BeforeShellExecution: nothing,
  AfterShellExecution: nothing,
};

/** Crush uses the same event names, but sends `cwd`. */
export const isOfGoose = ({
  event,
  session_id: session,
  cwd,
  hook_event_name: other,
}: JsonObject): boolean =>
  typeof event === 'string' &&
  Object.hasOwn(EVENTS, event) &&
  typeof session === 'string' &&
  cwd === undefined &&
  other === undefined;

export const goosePayload: HookDialect = (payload) => {
  if (!isOfGoose(payload)) return undefined;
  const { event, session_id: session } = payload;
  return { session: textOf(session), told: EVENTS[textOf(event)]!(payload) };
};

/** Tools are named with their extension: `developer__shell`. */
const callOf = ({ tool_call_id: id, tool_name: tool, tool_input: args }: JsonObject): HookCall =>
  hookCall(id, tool, args);
