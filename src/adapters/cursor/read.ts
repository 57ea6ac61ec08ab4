import type { Returned } from '../../importers/importer.ts';
import { isObject, type JsonObject, parsed, textOf } from '../../json.ts';
import { claudeHooks } from '../claude-code/read.ts';
import type { HookCall, HookDialect, HookTold } from '../hook-payload.ts';

type Read = (payload: JsonObject) => HookTold[];

const EVENTS: Record<string, Read> = {
  preToolUse: (payload) => [{ what: 'calls', call: callOf(payload) }],
  postToolUse: (payload) => [{ what: 'returned', call: callOf(payload), returned: returnedBy(payload) }],
  postToolUseFailure: (payload) => [{ what: 'returned', call: callOf(payload), returned: failedBy(payload) }],
  beforeSubmitPrompt: ({ prompt }) => [{ what: 'person', text: textOf(prompt) }],
  afterAgentResponse: ({ text }) => [{ what: 'says', text: textOf(text) }],
  afterAgentThought: ({ text }) => [{ what: 'thinks', text: textOf(text) }],
  preCompact: () => [{ what: 'compacted' }],
  sessionEnd: ({ reason }) => [{ what: 'ended', outcome: textOf(reason) || undefined }],
};

/** Each kind of tool has hooks of its own besides. */
const DETAILS: Record<string, Read> = {
  beforeShellExecution: (payload) => [{ what: 'calls', call: shellOf(payload) }],
  afterShellExecution: (payload) => [
    { what: 'returned', call: shellOf(payload), returned: { result: payload.output, ...lasted(payload) } },
  ],
  beforeMCPExecution: (payload) => [{ what: 'calls', call: callOf(payload) }],
  afterMCPExecution: (payload) => [
    { what: 'returned', call: callOf(payload), returned: { result: parsed(payload.result_json), ...lasted(payload) } },
  ],
  beforeReadFile: ({ file_path: path, content }) => [
    { what: 'returned', call: { tool: 'Read', args: { file_path: path } }, returned: { result: content } },
  ],
  afterFileEdit: ({ file_path: path, edits }) => [
    { what: 'returned', call: { tool: 'Edit', args: { file_path: path, edits } }, returned: {} },
  ],
};

const NO_STEPS = new Set([
  'sessionStart',
  'stop',
  'subagentStart',
  'subagentStop',
  'workspaceOpen',
  'beforeTabFileRead',
  'afterTabFileEdit',
]);

/** The payloads that only Cursor gives. */
export const cursorHooks: HookDialect = (payload) => {
  const { conversation_id: conversation, session_id: session } = payload;
  const event = textOf(payload.hook_event_name);
  const read = Object.hasOwn(EVENTS, event) ? EVENTS[event] : Object.hasOwn(DETAILS, event) ? DETAILS[event] : undefined;
  if (!read && !NO_STEPS.has(event)) return undefined;
  const told = read ? read(payload) : [];
  const turn = textOf(payload.generation_id) || undefined;
  return { session: textOf(conversation) || textOf(session) || undefined, turn, told, isDetail: Object.hasOwn(DETAILS, event) };
};

/** All payloads of Cursor, which runs the hooks in Claude Code's settings too, by their names. */
export const readCursor: HookDialect = (payload) => cursorHooks(payload) ?? claudeHooks(payload);

const callOf = ({ tool_use_id: id, tool_name: tool, tool_input: args }: JsonObject): HookCall => ({
  id: textOf(id) || undefined,
  tool: textOf(tool),
  args: parsed(args),
});
const shellOf = ({ command }: JsonObject): HookCall => ({ tool: 'Shell', args: { command } });

const lasted = ({ duration }: JsonObject): Returned => (typeof duration === 'number' ? { durationMs: duration } : {});

function returnedBy(payload: JsonObject): Returned {
  const output = parsed(payload.tool_output);
  const exit = isObject(output) ? (output.exitCode ?? output.exit_code) : undefined;
  return { result: output, ...(typeof exit === 'number' ? { exitCode: exit } : {}), ...lasted(payload) };
}

function failedBy(payload: JsonObject): Returned {
  const { error_message: error, failure_type: kind, is_interrupt: isInterrupt } = payload;
  const refusedBy = isInterrupt === true ? 'user' : kind === 'permission_denied' ? 'host' : undefined;
  return { result: error, error: true, ...(refusedBy === undefined ? {} : { refusedBy }), ...lasted(payload) };
}
