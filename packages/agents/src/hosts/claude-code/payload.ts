import { isObject, type JsonObject, objectsOf, textOf } from '@unrut/engine/json';
import {
  type HookCall,
  type HookDialect,
  type HookTold,
  spoken,
} from '@unrut/reading/hook-payload';
import type { Returned } from '@unrut/reading/importer';
import { resultContent } from '@unrut/reading/message-content';
import { returnedWith } from '@unrut/reading/returned-with';
import { claudeCodeResult } from './result.ts';
import { claudeCodeTyped, writtenByTask } from './typed.ts';

/** Sources of prompts that the user did not type. */
const NO_PERSONS = new Set(['system', 'loop_wakeup', 'schedule_wakeup', 'poll_event']);

/** Differences between hosts with Claude Code's format in how they report the results of calls. */
export interface ClaudeResults {
  ofCall(payload: JsonObject): Returned;
  inBatch(call: JsonObject): Returned;
  /** Differences in the hook of a failed call. */
  ofFailure?(payload: JsonObject): Returned;
  /** The tool that was actually called, if the reported one only wraps it. */
  called?(tool: string, args: unknown): { tool: string; args: unknown } | undefined;
}

const says = ({ last_assistant_message: text }: JsonObject): HookTold[] => spoken('says', text);
const compacted = (): HookTold[] => [{ what: 'compacted' }];

const EVENTS: Record<string, (payload: JsonObject, results: ClaudeResults) => HookTold[]> = {
  PreToolUse: (payload, results) => [{ what: 'calls', call: callOf(payload, results) }],
  PostToolUse: (payload, results) => [
    { what: 'returned', call: callOf(payload, results), returned: results.ofCall(payload) },
  ],
  PostToolUseFailure: (payload, results) => [
    {
      what: 'returned',
      call: callOf(payload, results),
      returned: { ...failedBy(payload), ...results.ofFailure?.(payload) },
    },
  ],
  PermissionDenied: (payload, results) => [
    {
      what: 'returned',
      call: callOf(payload, results),
      returned: { result: payload.reason, error: true, refusedBy: 'host' },
    },
  ],
  PostToolBatch({ tool_calls: made }, results) {
    const calls = objectsOf(made);
    return calls.map((call) => ({
      what: 'returned',
      call: callOf(call, results),
      returned: results.inBatch(call),
    }));
  },
  UserPromptSubmit({ source, prompt }) {
    const typed = NO_PERSONS.has(textOf(source)) ? undefined : claudeCodeTyped(prompt);
    return typed === undefined ? [] : [{ what: 'person', text: typed }];
  },
  Stop: says,
  SubagentStop: says,
  PreCompact: compacted,
  PostCompact: compacted,
  SessionStart: ({ source }) => (source === 'compact' ? [{ what: 'compacted', tells: true }] : []),
  SessionEnd: ({ reason }) => [{ what: 'ended', outcome: textOf(reason) || undefined }],
};
const NO_STEPS = new Set(
  (
    'ConfigChange CwdChanged DirectoryAdded Elicitation ElicitationResult ErrorOccurred FileChanged InstructionsLoaded Interrupt ' +
    'MessageDisplay Notification PermissionRequest PostModelSwitch PreModelSwitch Setup StopFailure SubagentStart TaskCompleted TaskCreated ' +
    'SessionDelete TeammateIdle TodoCompleted TodoCreated UserPromptExpansion WorktreeCreate WorktreeRemove'
  ).split(' '),
);

/** Whether a payload has Claude Code's names and structure. */
export const isClaudeLike = ({
  hook_event_name: event,
  session_id: session,
}: JsonObject): boolean =>
  typeof event === 'string' &&
  typeof session === 'string' &&
  (Object.hasOwn(EVENTS, event) || NO_STEPS.has(event));

/**
 * Whether a payload is about a call, or has fields that only Claude Code sends. Kimi's calls have
 * `tool_call_id`, and Copilot's payloads a time.
 */
export const isClaudeCall = (payload: JsonObject): boolean =>
  payload.tool_call_id === undefined &&
  payload.timestamp === undefined &&
  CLAUDE_FIELDS.some((name) => payload[name] !== undefined);
const CLAUDE_FIELDS = ['tool_name', 'tool_use_id', 'tool_calls', 'prompt_id', 'permission_mode'];

/** Reads payloads with Claude Code's names and structure. */
export const claudeLike =
  (results: ClaudeResults): HookDialect =>
  (payload) => {
    if (!isClaudeLike(payload)) return undefined;
    const {
      session_id: session,
      agent_id: agent,
      timestamp: at,
      prompt_id: prompt,
      turn_id: turn,
    } = payload;
    const event = textOf(payload.hook_event_name);
    const told = EVENTS[event]?.(payload, results) ?? [];
    return {
      session: textOf(session),
      agent: textOf(agent) || undefined,
      at,
      turn: textOf(turn) || textOf(prompt) || undefined,
      told,
      ...changedBy(payload.prompt),
      ...(event === 'PostToolBatch' ? { isBatch: true } : {}),
      ...(event === 'Stop' || event === 'SubagentStop'
        ? { isRest: true, isWaiting: isWaiting(payload) }
        : {}),
      ...(event === 'UserPromptSubmit' && told.length === 0 && wakes(payload)
        ? { isWoken: true }
        : {}),
    };
  };

/** A prompt that only tells the agent to continue carries no news. */
const wakes = ({ source, prompt }: JsonObject): boolean =>
  source !== 'system' || textOf(prompt).includes('<task-notification>');

/** Whether background tasks still run, or a schedule will wake the session. */
const isWaiting = ({ background_tasks: tasks, session_crons: schedules }: JsonObject): boolean =>
  objectsOf(tasks).some(({ status }) => !ENDED.has(textOf(status))) ||
  objectsOf(schedules).length > 0;
const ENDED = new Set(['completed', 'failed', 'killed', 'stopped']);

/** While the agent is idle, the end of a background task arrives as a prompt. */
function changedBy(prompt: unknown): { changed?: string[] } {
  const changed = writtenByTask(prompt);
  return changed.length > 0 ? { changed } : {};
}

/**
 * Claude Code's payloads, and those of compatible hosts: Kimi, and Copilot with capitalised event
 * names.
 */
export const claudePayload: HookDialect = claudeLike({
  ofCall: returnedBy,
  inBatch: ({ tool_response: response }) => claudeCodeResult(response),
});

/**
 * Kimi and Qwen Code identify a call by the model's id; Qwen Code has a second id, which not all of
 * its hooks send.
 */
function callOf(
  { tool_use_id: id, tool_call_id: models, tool_name: name, tool_input: args }: JsonObject,
  { called }: ClaudeResults,
): HookCall {
  const tool = textOf(name);
  return {
    id: textOf(models) || textOf(id) || undefined,
    ...(called?.(tool, args) ?? { tool, args }),
  };
}

/** The result of a successful call, in the tool's own format. */
function returnedBy({
  tool_response: response,
  tool_output: output,
  tool_result: result,
  duration_ms: durationMs,
}: JsonObject): Returned {
  const brought =
    response ?? output ?? (isObject(result) ? (result.text_result_for_llm ?? result) : result);
  return returnedWith({ result: resultContent(brought), error: false, durationMs });
}

function failedBy({
  error,
  duration_ms: durationMs,
  is_interrupt: isInterrupt,
}: JsonObject): Returned {
  return {
    ...claudeCodeResult(isObject(error) ? error.message : error, true),
    ...returnedWith({ durationMs, refusedBy: isInterrupt === true ? 'user' : undefined }),
  };
}
