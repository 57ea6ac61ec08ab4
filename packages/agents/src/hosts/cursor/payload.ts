import { type JsonObject, objectOf, parsed, textOf } from '@unrut/engine/json';
import {
  type HookCall,
  type HookDialect,
  type HookTold,
  hookCall,
} from '@unrut/reading/hook-payload';
import type { Returned } from '@unrut/reading/importer';
import { returnedWith } from '@unrut/reading/returned-with';
import { claudePayload } from '../claude-code/payload.ts';

type Read = (payload: JsonObject) => HookTold[];

const EVENTS: Record<string, Read> = {
  preToolUse: (payload) => [{ what: 'calls', call: callOf(payload) }],
  postToolUse: (payload) => [
    { what: 'returned', call: callOf(payload), returned: returnedBy(payload) },
  ],
  postToolUseFailure: (payload) => [
    { what: 'returned', call: callOf(payload), returned: failedBy(payload) },
  ],
  beforeSubmitPrompt: ({ prompt }) => [{ what: 'person', text: textOf(prompt) }],
  afterAgentResponse: ({ text }) => [{ what: 'says', text: textOf(text) }],
  afterAgentThought: ({ text }) => [{ what: 'thinks', text: textOf(text) }],
  preCompact: () => [{ what: 'compacted' }],
  sessionEnd: ({ reason }) => [{ what: 'ended', outcome: textOf(reason) || undefined }],
};

/** Additional hooks for each kind of tool. */
const DETAILS: Record<string, Read> = {
  beforeShellExecution: (payload) => [{ what: 'calls', call: shellOf(payload) }],
  afterShellExecution: (payload) => [
    {
      what: 'returned',
      call: shellOf(payload),
      returned: returnedWith({ result: payload.output, durationMs: payload.duration }),
    },
  ],
  beforeMCPExecution: (payload) => [{ what: 'calls', call: callOf(payload) }],
  afterMCPExecution: (payload) => [
    {
      what: 'returned',
      call: callOf(payload),
      returned: returnedWith({ result: parsed(payload.result_json), durationMs: payload.duration }),
    },
  ],
  beforeReadFile: ({ file_path: path, content }) => [
    {
      what: 'returned',
      call: { tool: 'Read', args: { file_path: path } },
      returned: { result: content },
    },
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

const isOwn = (event: string): boolean =>
  Object.hasOwn(EVENTS, event) || Object.hasOwn(DETAILS, event) || NO_STEPS.has(event);

/** Whether only Cursor sends such a payload. */
export const isOfCursor = ({
  cursor_version: version,
  conversation_id: conversation,
  hook_event_name: event,
}: JsonObject): boolean =>
  version !== undefined || (conversation !== undefined && isOwn(textOf(event)));

/** Cursor also runs the hooks in Claude Code's settings, with their event names. */
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

const callOf = ({ tool_use_id: id, tool_name: tool, tool_input: args }: JsonObject): HookCall =>
  hookCall(id, tool, parsed(args));
const shellOf = ({ command }: JsonObject): HookCall => ({ tool: 'Shell', args: { command } });

function returnedBy({ tool_output: output, duration: durationMs }: JsonObject): Returned {
  const result = parsed(output);
  const { exitCode, exit_code } = objectOf(result);
  return returnedWith({ result, exitCode: exitCode ?? exit_code, durationMs });
}

function failedBy({
  error_message: result,
  failure_type: kind,
  is_interrupt: isInterrupt,
  duration: durationMs,
}: JsonObject): Returned {
  const refusedBy =
    isInterrupt === true ? 'user' : kind === 'permission_denied' ? 'host' : undefined;
  return returnedWith({ result, error: true, refusedBy, durationMs });
}
