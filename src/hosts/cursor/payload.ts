import { isObject, type JsonObject, parsed, textOf } from '../../json.ts';
import { claudePayload } from '../claude-code/payload.ts';
import type { HookCall, HookDialect, HookTold } from '../reading/hook-payload.ts';
import type { Returned } from '../reading/importer.ts';

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

const isOwn = (event: string): boolean => Object.hasOwn(EVENTS, event) || Object.hasOwn(DETAILS, event) || NO_STEPS.has(event);

/** Whether only Cursor gives such a payload. */
export const isOfCursor = ({ cursor_version: version, conversation_id: conversation, hook_event_name: event }: JsonObject): boolean =>
  version !== undefined || (conversation !== undefined && isOwn(textOf(event)));

/** Cursor runs the hooks in Claude Code's settings too, by their names. */
export const cursorPayload: HookDialect = (payload) => {
  const { conversation_id: conversation, session_id: session, generation_id: turn } = payload;
  const event = textOf(payload.hook_event_name);
  if (!isOwn(event)) return claudePayload(payload);
  return {
    session: textOf(conversation) || textOf(session) || undefined,
    turn: textOf(turn) || undefined,
    told: (EVENTS[event] ?? DETAILS[event])?.(payload) ?? [],
    isDetail: Object.hasOwn(DETAILS, event),
  };
};

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
