import type { Returned } from '../../importers/importer.ts';
import { isObject, type JsonObject, textOf } from '../../json.ts';
import type { HookDialect, HookTold } from '../hook-payload.ts';

type Read = (payload: JsonObject) => HookTold[];

const calls: Read = (payload) => [{ what: 'calls', call: callOf(payload.tool_call, payload.preToolUse) }];
const returns: Read = (payload) => [
  { what: 'returned', call: callOf(payload.tool_result, payload.postToolUse), returned: returnedBy(payload) },
];
const person: Read = ({ userPromptSubmit: submitted }) => {
  const text = isObject(submitted) ? textOf(submitted.prompt) : '';
  return text === '' ? [] : [{ what: 'person', text }];
};
const ended: Read = ({ reason }) => [{ what: 'ended', outcome: textOf(reason) || undefined }];
const nothing: Read = () => [];

/** By the names of the command line and the SDK, and by those of the extension, which are also the names of the hook files. */
const EVENTS: Record<string, Read> = {
  tool_call: calls,
  PreToolUse: calls,
  tool_result: returns,
  PostToolUse: returns,
  prompt_submit: person,
  UserPromptSubmit: person,
  pre_compact: () => [{ what: 'compacted' }],
  PreCompact: () => [{ what: 'compacted' }],
  agent_end: ({ turn }) => {
    const text = isObject(turn) ? textOf(turn.outputText) : '';
    return text.trim() === '' ? [] : [{ what: 'says', text }];
  },
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

/** The payloads of Cline. Calls have ids except in the extension. */
export const clineHooks: HookDialect = (payload) => {
  const { hookName: name, taskId: task, agent_id: agent, parent_agent_id: parent, sessionContext: context, timestamp: at } = payload;
  if (typeof name !== 'string' || typeof task !== 'string') return undefined;
  const session = (isObject(context) && textOf(context.rootSessionId)) || task;
  const about = { session, agent: (textOf(parent) && textOf(agent)) || undefined, at };
  return Object.hasOwn(EVENTS, name) ? { ...about, told: EVENTS[name]!(payload) } : { ...about, told: [], unknown: name.slice(0, 40) };
};

/** Both forms are given at once; the one of the command line has an id, and arguments that are not made into text. */
function callOf(own: unknown, extension: unknown) {
  if (isObject(own)) return { id: textOf(own.id) || undefined, tool: textOf(own.name), args: own.input };
  return isObject(extension) ? { tool: textOf(extension.toolName), args: extension.parameters } : { tool: '', args: undefined };
}

function returnedBy({ tool_result: own, postToolUse: extension }: JsonObject): Returned {
  if (isObject(own)) {
    const { output, error, durationMs } = own;
    return {
      ...(output === undefined ? {} : { result: output }),
      ...(textOf(error) === '' ? {} : { error: output === undefined ? error : true }),
      ...(typeof durationMs === 'number' ? { durationMs } : {}),
    };
  }
  if (!isObject(extension)) return {};
  const { result, success, executionTimeMs } = extension;
  return {
    ...(result === undefined ? {} : { result }),
    ...(success === false ? { error: true } : {}),
    ...(typeof executionTimeMs === 'number' ? { durationMs: executionTimeMs } : {}),
  };
}
