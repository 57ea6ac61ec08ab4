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

type Read = (payload: JsonObject) => HookTold[];

const calls: Read = (payload) => [
  { what: 'calls', call: callOf(payload.tool_call, payload.preToolUse) },
];
const returns: Read = (payload) => [
  {
    what: 'returned',
    call: callOf(payload.tool_result, payload.postToolUse),
    returned: returnedBy(payload),
  },
];
const person: Read = ({ userPromptSubmit: submitted }) =>
  spoken('person', objectOf(submitted).prompt);
const ended: Read = ({ reason }) => [{ what: 'ended', outcome: textOf(reason) || undefined }];
const nothing: Read = () => [];

/**
 * Event names of the command line and the SDK, and those of the extension, which are also the names
 * of the hook files.
 */
const EVENTS: Record<string, Read> = {
  tool_call: calls,
  PreToolUse: calls,
  tool_result: returns,
  PostToolUse: returns,
  prompt_submit: person,
  UserPromptSubmit: person,
  pre_compact: () => [{ what: 'compacted' }],
  PreCompact: () => [{ what: 'compacted' }],
  agent_end: ({ turn }) => spoken('says', objectOf(turn).outputText),
  session_shutdown: ended,
  agent_abort: ended,
  TaskCancel: ended,
  TaskComplete: ended,
  agent_start: nothing,
  agent_resume: nothing,
  agent_error: nothing,
  TaskStart: nothing,
  TaskResume: nothing,
};

export const isOfCline = ({ hookName: name, taskId: task }: JsonObject): boolean =>
  typeof name === 'string' && typeof task === 'string' && Object.hasOwn(EVENTS, name);

/** Cline's payloads. Calls have ids, except in the extension. */
export const clinePayload: HookDialect = (payload) => {
  if (!isOfCline(payload)) return undefined;
  const {
    hookName: name,
    taskId: task,
    agent_id: agent,
    parent_agent_id: parent,
    sessionContext: context,
    timestamp: at,
  } = payload;
  const session = (isObject(context) && textOf(context.rootSessionId)) || textOf(task);
  return {
    session,
    agent: (textOf(parent) && textOf(agent)) || undefined,
    at,
    told: EVENTS[textOf(name)]!(payload),
  };
};

/** Both formats are present; the command line's one has an id and structured arguments. */
function callOf(own: unknown, extension: unknown): HookCall {
  if (isObject(own)) return hookCall(own.id, own.name, own.input);
  const { toolName, parameters } = objectOf(extension);
  return hookCall(undefined, toolName, parameters);
}

function returnedBy({ tool_result: own, postToolUse: extension }: JsonObject): Returned {
  if (isObject(own)) {
    const { output: result, error, durationMs } = own;
    return returnedWith({
      result,
      error: textOf(error) === '' ? undefined : result === undefined ? error : true,
      durationMs,
    });
  }
  const { result, success, executionTimeMs: durationMs } = objectOf(extension);
  return returnedWith({ result, error: success === false ? true : undefined, durationMs });
}
